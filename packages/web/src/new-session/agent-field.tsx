import { useId } from "react";
import type { AgentInfo } from "../state/wire.ts";
import { ChevronIcon } from "../ui/icons.tsx";

interface AgentFieldProps {
  readonly agents: readonly AgentInfo[];
  readonly value: string;
  readonly onChange: (agent: string) => void;
}

/** Which agent; those that cannot run here are shown, with what is missing. */
export function AgentField({ agents, value, onChange }: AgentFieldProps) {
  const id = useId();
  const ready = agents.filter(({ installed }) => installed);
  const missing = agents.filter(({ installed }) => !installed);
  const chosen = agents.find(({ agent }) => agent === value);
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
          {ready.map(({ agent, name }) => (
            <option key={agent} value={agent}>
              {name === agent ? agent : `${name} (${agent})`}
            </option>
          ))}
          {missing.length > 0 && (
            <optgroup label="Not installed">
              {missing.map(({ agent, name, command }) => (
                <option key={agent} value={agent} disabled>
                  {`${name}: the program ${command} was not found`}
                </option>
              ))}
            </optgroup>
          )}
        </select>
        <span className="pointer-events-none absolute inset-y-0 right-2.5 flex rotate-90 items-center text-muted">
          <ChevronIcon size={14} />
        </span>
      </div>
      {chosen && <p className="text-muted text-xs">{aboutAgent(chosen)}</p>}
    </div>
  );
}

function aboutAgent({ driver, version, login, capabilities }: AgentInfo): string {
  const facts = [
    version ? `version ${version}` : undefined,
    `speaks ${driver}`,
    capabilities.approvals === "live" ? "asks while it works" : undefined,
    capabilities.approvals === "none" ? "cannot ask: it works with what its own settings allow" : undefined,
    login === "missing" ? "not logged in yet: log in with its own program first" : undefined,
  ];
  return facts.filter((fact) => fact !== undefined).join(" · ");
}
