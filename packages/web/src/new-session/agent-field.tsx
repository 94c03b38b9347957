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
  /** Called when the person follows the link to the agents page. */
  readonly onLeave: () => void;
}

/** Selects an agent, and lists those that are not ready with the reason and the fix. */
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
                {agents.filter((other) => other.name === name).length > 1 ? `${name} (${agent})` : name}
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

/** Why these agents cannot be chosen, and the commands that fix it. */
function NotReady({ agents, onLeave }: NotReadyProps) {
  return (
    <details className="group/missing text-xs">
      <summary className="flex list-none items-center gap-1 text-muted hover:text-ink">
        <span className="transition-transform group-open/missing:rotate-90">
          <ChevronIcon size={12} />
        </span>
        {agents.length === 1 ? "1 more agent isn't ready" : `${agents.length} more agents aren't ready`}
      </summary>
      {agents.some((agent) => !agent.installed && agent.package) && (
        <a
          href={href("/agents")}
          className="mt-1.5 inline-block text-muted underline hover:text-ink"
          onClick={onLeave}
        >
          Install agents
        </a>
      )}
      <ul className="mt-1.5 grid max-h-48 gap-1.5 overflow-y-auto">
        {agents.map((agent) => (
          <li key={agent.agent} className="rounded-md border border-line px-2.5 py-1.5">
            <p>
              <span className="font-medium">{agent.name}</span>{" "}
              <span className="text-muted">
                {agent.installed ? "is not logged in." : `is not installed: ${agent.command} not found.`}
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
    capabilities.approvals === "live" ? "asks for approval" : undefined,
    unheldWords({ capabilities }) ??
      (capabilities.approvals === "none" ? "can't ask: its permission mode decides" : undefined),
    capabilities.approvals === "gate" ? "in a worktree, you approve what each turn changed" : undefined,
    lacks.includes("distrust") ? "uses a repository's settings even if you don't trust it" : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}
