import type { AgentInfo } from "@drover/core";
import { type CapabilityWords, capabilityWords, trustWords } from "../format/capability-words.ts";
import { driverWords } from "../format/words.ts";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { CheckIcon, ChevronIcon, CrossIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { Remedy } from "../ui/remedy.tsx";
import { useAction } from "../ui/use-action.ts";
import { AgentIcon } from "./agent-icon.tsx";
import { InstallAgent } from "./install-agent.tsx";

interface AgentCardProps {
  readonly agent: AgentInfo;
  /** One of several variants, and the one to choose. */
  readonly isRecommended?: boolean;
  readonly onChanged: () => void;
  readonly onInstalled: () => void;
}

export function AgentCard({ agent, isRecommended = false, onChanged, onInstalled }: AgentCardProps) {
  const { name, installed, login, remedy } = agent;
  const canInstall = !installed && agent.package !== undefined;
  const { busy, problem, run } = useAction();
  const lost = agent.connections.filter(
    ({ status }) => status === "disconnected" || status === "reconnecting",
  );
  const reconnect = async () => {
    await run(() => api("POST", `/api/agents/${encodeURIComponent(agent.agent)}/reconnect`));
    onChanged();
  };
  return (
    <div className="flex gap-3 px-3.5 py-3">
      <AgentIcon name={name} dim={!installed} />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="font-medium">{name}</h3>
          {isRecommended && <span className="text-muted text-xs">Recommended</span>}
          {installed && login !== "unknown" && (
            <span className={`text-xs ${login === "ok" ? "text-good" : "text-warn"}`}>
              {login === "ok" ? "Logged in" : "Not logged in"}
            </span>
          )}
          {lost.length > 0 && (
            <Button className="ml-auto" disabled={busy} onClick={() => void reconnect()}>
              Reconnect
            </Button>
          )}
        </div>
        {installed && <p className="text-muted text-xs empty:hidden">{facts(agent).join(" · ")}</p>}
        {canInstall && <InstallAgent agent={agent} onInstalled={onInstalled} />}
        {!canInstall && remedy && <Remedy text={remedy} />}
        <ProblemText problem={problem} />
        {installed && <Details agent={agent} />}
      </div>
    </div>
  );
}

function facts({ version, connections }: AgentInfo): string[] {
  const counted = (...statuses: string[]) =>
    connections.filter(({ status }) => statuses.includes(status)).length;
  const counts = [
    [counted("connected"), "connected"],
    [counted("starting"), "starting"],
    [counted("reconnecting"), "reconnecting"],
    [counted("disconnected"), "disconnected"],
  ] as const;
  return [
    ...(version === undefined ? [] : [`version ${version}`]),
    ...counts.flatMap(([count, status]) => (count > 0 ? [`${count} ${status}`] : [])),
  ];
}

/** What the agent can do in the default permission mode. */
function abilities({ capabilities, lacks, driver, verified }: AgentInfo): readonly CapabilityWords[] {
  const facts = { capabilities, driver, verified, permissionMode: "ask" } as const;
  const all = [...capabilityWords(facts), trustWords(lacks)];
  if (capabilities.approvals !== "none" || !capabilities.heldByMode) return all;
  return [{ can: false, words: "Can't ask before it acts: its permission mode decides." }, ...all.slice(1)];
}

function Details({ agent }: { agent: AgentInfo }) {
  return (
    <details className="group text-sm">
      <summary className="flex w-fit list-none items-center gap-1 text-muted text-xs hover:text-ink">
        <span className="group-open:rotate-90">
          <ChevronIcon size={12} />
        </span>
        What it can do
      </summary>
      <ul className="mt-2 grid gap-1.5">
        {abilities(agent).map(({ can, words }) => (
          <li key={words} className="flex items-start gap-2">
            <span className={`mt-0.5 ${can ? "text-good" : "text-faint"}`}>
              {can ? <CheckIcon size={14} /> : <CrossIcon size={14} />}
              <span className="sr-only">{can ? "Yes: " : "No: "}</span>
            </span>
            <span className={can ? "" : "text-muted"}>{words}</span>
          </li>
        ))}
      </ul>
      <p className="mt-2.5 break-all text-faint text-xs">
        <code>{agent.agent}</code> · {driverWords(agent.driver)} · <code>{agent.command}</code>
      </p>
      {agent.verified && <p className="mt-1 text-faint text-xs">Verified: {agent.verified}</p>}
    </details>
  );
}
