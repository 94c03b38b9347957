import { useId } from "react";
import type { AgentInfo } from "../state/wire.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { isReady } from "./choices.ts";

interface AgentFieldProps {
  readonly agents: readonly AgentInfo[];
  readonly remedies: Readonly<Record<string, string>>;
  readonly value: string;
  readonly onChange: (agent: string) => void;
}

/** Which agent; those that are not ready are named, with why and what makes them ready. */
export function AgentField({ agents, remedies, value, onChange }: AgentFieldProps) {
  const id = useId();
  const chosen = agents.find(({ agent }) => agent === value);
  const missing = agents.filter((agent) => !isReady(agent));
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-medium">
        Agent
      </label>
      <div className="relative">
        <select
          id={id}
          className="field appearance-none pr-8"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          {agents.filter(isReady).map(({ agent, name }) => (
            <option key={agent} value={agent}>
              {name === agent ? agent : `${name} (${agent})`}
            </option>
          ))}
        </select>
        <span className="pointer-events-none absolute inset-y-0 right-2.5 flex rotate-90 items-center text-muted">
          <ChevronIcon size={14} />
        </span>
      </div>
      {chosen && <p className="text-muted text-xs">{aboutAgent(chosen)}</p>}
      {missing.length > 0 && <NotReady agents={missing} remedies={remedies} />}
    </div>
  );
}

interface NotReadyProps {
  readonly agents: readonly AgentInfo[];
  readonly remedies: Readonly<Record<string, string>>;
}

function NotReady({ agents, remedies }: NotReadyProps) {
  return (
    <details className="group/missing text-xs">
      <summary className="flex list-none items-center gap-1 text-muted hover:text-ink">
        <span className="transition-transform group-open/missing:rotate-90">
          <ChevronIcon size={12} />
        </span>
        {agents.length === 1 ? "One more agent is not ready" : `${agents.length} more agents are not ready`}
      </summary>
      <ul className="mt-1.5 grid gap-1.5">
        {agents.map((agent) => (
          <li key={agent.agent} className="rounded-md border border-line px-2.5 py-1.5">
            <p>
              <span className="font-medium">{agent.name}</span>{" "}
              <span className="text-muted">
                {agent.installed ? "is not logged in." : `The program ${agent.command} was not found.`}
              </span>
            </p>
            <Remedy
              text={remedies[agent.agent] ?? (agent.installed ? "Log in with its own program." : undefined)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Words with a command between backticks, ready to be copied. */
function Remedy({ text }: { text: string | undefined }) {
  if (!text) return null;
  const [before = "", command, after = ""] = text.split("`");
  return (
    <p className="flex flex-wrap items-center gap-x-1 text-muted">
      {before.trim()}
      {command && (
        <>
          <code className="rounded-sm bg-raised px-1 font-mono text-ink">{command}</code>
          <CopyButton text={command} className="size-6" />
        </>
      )}
      {after.trim()}
    </p>
  );
}

function aboutAgent({ driver, version, capabilities }: AgentInfo): string {
  const facts = [
    version ? `version ${version}` : undefined,
    `speaks ${driver}`,
    capabilities.approvals === "live" ? "asks while it works" : undefined,
    capabilities.approvals === "none" ? "cannot ask: it works with what its own settings allow" : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}
