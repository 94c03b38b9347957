import { exactText, type Session } from "@drover/core";
import { useState } from "react";
import { AgentIcon } from "../agents/agent-icon.tsx";
import { useAgentName } from "../agents/agent-name.ts";
import { countOf } from "../format/count.ts";
import { CheckState } from "../review/check-state.tsx";
import { MergeDialog } from "../review/merge-dialog.tsx";
import { decide } from "../review/requests.ts";
import { Button } from "../ui/button.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { WorkerReport } from "../worker/worker-report.tsx";
import { columnOf, columnTitles } from "./columns.ts";
import { standingOf } from "./standing.ts";
import { WorkFacts } from "./work-facts.tsx";
import { workerHref } from "./worker-href.ts";

interface TryColumnProps {
  readonly session: Session;
  readonly number: number;
  /** Undefined if there are no others. */
  readonly onDiscardOthers: ((kept: Session) => void) | undefined;
}

/** One try at the task: what came of it, and the decision on it. */
export function TryColumn({ session, number, onDiscardOthers }: TryColumnProps) {
  const { name, agent, model, worker, review } = session;
  const agentName = useAgentName(agent);
  const column = columnOf(session);
  const standing = standingOf(session, column);
  const commits = worker?.changes?.commits ?? 0;
  return (
    <li
      aria-label={`Try ${number}`}
      className="grid min-w-72 flex-1 content-start gap-3 rounded-lg border border-line p-4 max-md:min-w-0 max-md:flex-none"
    >
      <header className="grid gap-1">
        <h2 className="flex items-baseline gap-2 font-semibold">
          Try {number}
          <a
            href={workerHref(session)}
            className="ml-auto min-w-0 truncate font-normal text-accent text-xs hover:underline max-md:py-2.5"
          >
            {name}
          </a>
        </h2>
        <p className="flex items-center gap-1.5 text-faint text-xs">
          <AgentIcon name={agentName} size="small" />
          {[agentName, model].filter(Boolean).join(" · ")}
        </p>
      </header>
      <p className={`wrap-anywhere font-medium text-sm ${standing?.look ?? ""}`}>
        {standing?.text ?? columnTitles[column]}
      </p>
      <div className="flex flex-wrap items-baseline gap-x-2.5">
        <WorkFacts session={session} />
        {commits > 0 && <span className="text-muted text-xs">{countOf(commits, "commit")}</span>}
      </div>
      {review && <CheckState review={review} />}
      {worker && <WorkerReport worker={worker} />}
      {worker?.summary === undefined && worker?.result === undefined && worker?.lastLine && (
        <p dir="auto" className="wrap-anywhere text-muted text-sm">
          {exactText(worker.lastLine)}
        </p>
      )}
      <TryActions session={session} onDiscardOthers={onDiscardOthers} />
    </li>
  );
}

function TryActions({ session, onDiscardOthers }: Omit<TryColumnProps, "number">) {
  const { id, review, turn } = session;
  const { busy, problem, run } = useAction();
  const [isMerging, setIsMerging] = useState(false);
  const state = review?.state ?? "none";
  const isChosen = state === "accepted" || state === "merging" || state === "merged";
  const accept = () => run(() => decide(id, { do: "accept", ...(review ? { work: review.work } : {}) }));
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2 empty:hidden">
        {turn === undefined &&
          (state === "open" || state === "changes_requested" || state === "rejected") && (
            <Button disabled={busy} onClick={() => void accept()}>
              Accept this one
            </Button>
          )}
        {state === "accepted" && (
          <Button look="primary" onClick={() => setIsMerging(true)}>
            Merge…
          </Button>
        )}
        {isChosen && onDiscardOthers && (
          <Button look="danger" onClick={() => onDiscardOthers(session)}>
            Discard the others…
          </Button>
        )}
      </div>
      <ProblemText problem={problem} />
      {isMerging && review && (
        <MergeDialog session={session} work={review.work} onClose={() => setIsMerging(false)} />
      )}
    </div>
  );
}
