import { type AgentInfo, unheldWords } from "@drover/core";
import { driverWords } from "../format/words.ts";
import { href } from "../routing/route.ts";
import { Field } from "../ui/field.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { Remedy } from "../ui/remedy.tsx";
import { Select } from "../ui/select.tsx";
import { isReady } from "./choices.ts";

interface AgentFieldProps {
  readonly agents: readonly AgentInfo[];
  readonly value: string;
  readonly onChange: (agent: string) => void;
  /** The person goes to where agents are installed. */
  readonly onLeave: () => void;
}

/** Which agent; those that are not ready are named, with why and what makes them ready. */
export function AgentField({ agents, value, onChange, onLeave }: AgentFieldProps) {
  const chosen = agents.find(({ agent }) => agent === value);
  const missing = agents.filter((agent) => !isReady(agent));
  return (
    <div className="grid gap-1.5">
      <Field label="Agent" help={chosen && aboutAgent(chosen)}>
        {(control) => (
          <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
            {agents.filter(isReady).map(({ agent, name }) => (
              <option key={agent} value={agent}>
                {name === agent ? agent : `${name} (${agent})`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {missing.length > 0 && <NotReady agents={missing} onLeave={onLeave} />}
    </div>
  );
}

interface NotReadyProps extends Pick<AgentFieldProps, "agents" | "onLeave"> {}

/** Why each cannot be chosen, and the command that helps. */
function NotReady({ agents, onLeave }: NotReadyProps) {
  return (
    <details className="group/missing text-xs">
      <summary className="flex list-none items-center gap-1 text-muted hover:text-ink">
        <span className="transition-transform group-open/missing:rotate-90">
          <ChevronIcon size={12} />
        </span>
        {agents.length === 1 ? "One more agent is not ready" : `${agents.length} more agents are not ready`}
      </summary>
      {agents.some((agent) => !agent.installed && agent.package) && (
        <a
          href={href("/agents")}
          className="mt-1.5 inline-block text-muted underline hover:text-ink"
          onClick={onLeave}
        >
          Install them on the page of agents
        </a>
      )}
      <ul className="mt-1.5 grid max-h-48 gap-1.5 overflow-y-auto">
        {agents.map((agent) => (
          <li key={agent.agent} className="rounded-md border border-line px-2.5 py-1.5">
            <p>
              <span className="font-medium">{agent.name}</span>{" "}
              <span className="text-muted">
                {agent.installed ? "is not logged in." : `The program ${agent.command} was not found.`}
              </span>
            </p>
            {agent.remedy && <Remedy text={agent.remedy} />}
          </li>
        ))}
      </ul>
    </details>
  );
}

function aboutAgent({ driver, version, capabilities, lacks }: AgentInfo): string {
  const facts = [
    version ? `version ${version}` : undefined,
    driverWords(driver),
    capabilities.approvals === "live" ? "asks while it works" : undefined,
    unheldWords({ capabilities }) ??
      (capabilities.approvals === "none" ? "cannot ask: its mode decides beforehand" : undefined),
    lacks.includes("distrust") ? "heeds the settings a repository brings, trusted or not" : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}
