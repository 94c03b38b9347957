import type { Session } from "@drover/core";
import { memo } from "react";
import type { Problem } from "../transport/wire.ts";
import { type Column, columnTitles } from "./columns.ts";
import { WorkerCard } from "./worker-card.tsx";

export type Problems = ReadonlyMap<string, Problem>;

interface BoardColumnProps {
  readonly column: Column;
  readonly workers: readonly Session[];
  /** By the worker's id. */
  readonly problems: Problems;
}

/** A column on a desktop: narrow while it is empty, wide while a request in it is being answered. */
export const BoardColumn = memo(function BoardColumn({ column, workers, problems }: BoardColumnProps) {
  const title = columnTitles[column];
  const isEmpty = workers.length === 0;
  return (
    <section
      aria-label={title}
      className={`flex min-h-0 flex-col ${isEmpty ? "w-24 shrink-0" : "min-w-52 flex-1 basis-52 has-[[data-interaction]]:min-w-100"}`}
    >
      <h2 className="flex h-8 shrink-0 items-center gap-2 px-1 font-medium text-muted text-xs">
        <span className={column === "needs" && !isEmpty ? "text-warn" : ""}>{title}</span>
        <span className="text-faint tabular-nums">{workers.length.toLocaleString("en")}</span>
      </h2>
      {isEmpty ? (
        <div className="h-16 rounded-lg border border-line border-dashed" />
      ) : (
        <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1 pt-1 pb-5">
          <Cards {...{ column, workers, problems }} />
        </div>
      )}
    </section>
  );
});

export function Cards({ column, workers, problems }: BoardColumnProps) {
  return (
    <ul aria-label={columnTitles[column]} className="grid gap-2">
      {workers.map((session) => (
        <WorkerCard key={session.id} session={session} column={column} problem={problems.get(session.id)} />
      ))}
    </ul>
  );
}
