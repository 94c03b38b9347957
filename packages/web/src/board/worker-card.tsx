import { exactText, type Session } from "@drover/core";
import { memo } from "react";
import { AgentIcon } from "../agents/agent-icon.tsx";
import { useAgentName } from "../agents/agent-name.ts";
import { ago, fullTime, useNow } from "../format/time.ts";
import { unusualMode } from "../format/worker-words.ts";
import { href } from "../routing/route.ts";
import type { Problem } from "../transport/wire.ts";
import { ProblemText } from "../ui/problem.tsx";
import { AnswerHere } from "./answer-here.tsx";
import type { Column } from "./columns.ts";
import { standingOf } from "./standing.ts";
import { WorkFacts } from "./work-facts.tsx";
import { workerHref } from "./worker-href.ts";

interface WorkerCardProps {
  readonly session: Session;
  readonly column: Column;
  /** Why the last action on all workers failed for this one. */
  readonly problem: Problem | undefined;
}

/** A worker on the board. Memoized: hundreds of them stay as they are while one changes. */
export const WorkerCard = memo(function WorkerCard({ session, column, problem }: WorkerCardProps) {
  const { id, name, title, agent, account, worker } = session;
  const agentName = useAgentName(agent);
  const standing = standingOf(session, column);
  const mode = worker && unusualMode(worker);
  return (
    <li
      aria-label={exactText(title || name)}
      data-worker={id}
      className="grid gap-1.5 rounded-lg border border-line bg-canvas p-3"
    >
      <div className="flex items-baseline gap-2">
        <a
          href={workerHref(session)}
          className="min-w-0 flex-1 font-medium hover:underline max-md:-my-2.5 max-md:py-2.5"
        >
          <span className="wrap-anywhere line-clamp-2">{exactText(title || name)}</span>
        </a>
        <Ago at={session.updatedAt} />
      </div>
      <p className="flex min-w-0 items-center gap-1.5 text-faint text-xs">
        <AgentIcon name={agentName} size="small" />
        <span className="min-w-0 truncate">
          {[agentName, account, name].filter((part) => part && part !== title).join(" · ")}
        </span>
        {mode && (
          <span className="ml-auto shrink-0 rounded-sm bg-raised px-1 text-2xs text-muted">{mode}</span>
        )}
      </p>
      {worker?.lastLine && (
        <p dir="auto" className="wrap-anywhere line-clamp-2 text-muted text-xs">
          {exactText(worker.lastLine)}
        </p>
      )}
      <WorkFacts session={session} />
      {(standing || worker?.batch) && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-xs">
          {standing && (
            <span className={`wrap-anywhere line-clamp-3 min-w-0 ${standing.look}`}>{standing.text}</span>
          )}
          {worker?.batch && (
            <a
              href={href("/board/:batch?", { batch: worker.batch })}
              className="shrink-0 text-accent hover:underline max-md:py-2.5"
            >
              Compare tries
            </a>
          )}
        </div>
      )}
      {column === "needs" && <AnswerHere session={session} />}
      <ProblemText problem={problem} />
    </li>
  );
});

/** A component of its own, so that the passing of time does not render the card. */
function Ago({ at }: { at: string }) {
  const now = useNow(30_000);
  return (
    <time dateTime={at} title={fullTime(at)} className="shrink-0 text-2xs text-faint tabular-nums">
      {ago(at, now)}
    </time>
  );
}
