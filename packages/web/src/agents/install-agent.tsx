import type { AgentInfo } from "@drover/core";
import { api } from "../transport/http.ts";
import { Button } from "../ui/button.tsx";
import { ChevronIcon } from "../ui/icons.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { Remedy } from "../ui/remedy.tsx";
import { useAction } from "../ui/use-action.ts";

interface InstallAgentProps {
  readonly agent: AgentInfo;
  readonly onInstalled: () => void;
}

/** Installs an agent on the server, or shows the command that does so in a terminal. */
export function InstallAgent({ agent, onInstalled }: InstallAgentProps) {
  const { busy, problem, run } = useAction();
  const label = busy ? "Installing…" : "Install";
  const install = async () => {
    const path = `/api/agents/${encodeURIComponent(agent.agent)}/add`;
    if (await run(() => api("POST", path))) onInstalled();
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <Button aria-label={`${label} ${agent.name}`} disabled={busy} onClick={() => void install()}>
          {label}
        </Button>
      </div>
      {agent.remedy && (
        <details className="group/terminal">
          <summary className="flex w-fit list-none items-center gap-1 text-muted text-xs hover:text-ink">
            <span className="group-open/terminal:rotate-90">
              <ChevronIcon size={12} />
            </span>
            Install from a terminal
          </summary>
          <Remedy text={agent.remedy} />
        </details>
      )}
      <p role="status" className="text-muted text-xs empty:absolute">
        {busy &&
          `Installing ${agent.package?.name} ${agent.package?.version} with npm. This can take a few minutes and continues if you leave this page.`}
      </p>
      <ProblemText problem={problem} />
    </>
  );
}
