import { exactText, type Session } from "@drover/core";
import { columnOf, columnTitles } from "../board/columns.ts";
import { standingOf } from "../board/standing.ts";
import { WorkFacts } from "../board/work-facts.tsx";
import { countOf } from "../format/count.ts";
import { workerModeWords } from "../format/worker-words.ts";
import { href } from "../routing/route.ts";
import { ChevronIcon } from "../ui/icons.tsx";
import { WorkerReport } from "./worker-report.tsx";

/** How a worker stands, above its conversation: its task's column, its signal, and its report on request. */
export function WorkerHead({ session }: { session: Session }) {
  const { worker } = session;
  const column = columnOf(session);
  const standing = standingOf(session, column);
  if (!worker) return null;
  const { mode, tries, batch, changes, summary, result } = worker;
  const hasReport = summary !== undefined || result !== undefined;
  return (
    <section aria-label="Worker" className="column-bar border-line border-b py-2">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs">
        <span className={`wrap-anywhere min-w-0 font-semibold text-sm ${standing?.look ?? "text-muted"}`}>
          {standing?.text ?? columnTitles[column]}
        </span>
        <span className="text-muted">{workerModeWords[mode].name} mode</span>
        <span className="text-muted">{signalWords(session)}</span>
        {tries > 1 && <span className="text-muted">{countOf(tries, "attempt")}</span>}
        {changes && changes.commits > 0 && (
          <span className="text-muted">{countOf(changes.commits, "commit")}</span>
        )}
        <WorkFacts session={session} />
        {batch !== undefined && (
          <a href={href("/board/:batch?", { batch })} className="text-accent hover:underline max-md:py-2.5">
            Compare tries
          </a>
        )}
      </div>
      {hasReport && (
        <details className="group/report mt-1">
          <summary className="flex w-fit list-none items-center gap-1 text-muted text-xs hover:text-ink">
            <span className="transition-transform group-open/report:rotate-90">
              <ChevronIcon size={12} />
            </span>
            {summary === undefined ? "Result" : "Summary"}
          </summary>
          <div className="mt-1.5 max-h-[40dvh] overflow-y-auto pb-1">
            <WorkerReport worker={worker} />
          </div>
        </details>
      )}
    </section>
  );
}

function signalWords({ worker, turn, lastTurn }: Session): string {
  const signal = worker?.signal;
  if (turn || !lastTurn) return "";
  if (!signal) return "No signal";
  if (signal.status === "error") return `Reported an error: ${exactText(signal.error ?? "")}`;
  return signal.status === "done" ? "Reported that it is done" : "Asked questions";
}
