import { useRef, useState } from "react";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { useDrover } from "../state/drover.ts";
import { useStorePerFrame } from "../state/store.ts";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page.tsx";
import { useNarrow } from "../ui/use-narrow.ts";
import { BoardColumn, Cards, type Problems } from "./board-column.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { type Board, boardOf, type Column, columns, columnTitles } from "./columns.ts";
import { ComparePage } from "./compare-page.tsx";
import { NoWorkers } from "./no-workers.tsx";

interface BoardPageProps {
  readonly onNewWorker: () => void;
  readonly batch?: string | undefined;
}

/** Every worker, by where it stands; or, with a batch, the tries at one task side by side. */
export function BoardPage({ batch, onNewWorker }: BoardPageProps) {
  return batch === undefined ? <WorkerBoard onNewWorker={onNewWorker} /> : <ComparePage batch={batch} />;
}

const noProblems: Problems = new Map();

function WorkerBoard({ onNewWorker }: Pick<BoardPageProps, "onNewWorker">) {
  const { sessions } = useDrover();
  const { loaded, sessions: all } = useStorePerFrame(sessions.state);
  const before = useRef<Board>(undefined);
  const board = boardOf(all, before.current);
  before.current = board;
  const [problems, setProblems] = useState(noProblems);
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  useShortcuts({ next: () => step(frame.current, 1), previous: () => step(frame.current, -1) });
  const isEmpty = columns.every((column) => board[column].length === 0);
  const bulk = <BulkActions board={board} onProblems={setProblems} />;
  return (
    <>
      <PageHeader
        title="Board"
        wide
        actions={
          <>
            {!isNarrow && bulk}
            <Button look={isEmpty ? "plain" : "primary"} onClick={onNewWorker}>
              <PlusIcon size={14} />
              New worker
            </Button>
          </>
        }
      />
      {isEmpty ? (
        loaded && <NoWorkers onNewWorker={onNewWorker} />
      ) : isNarrow ? (
        <div ref={frame} className="min-h-0 flex-1 overflow-y-auto px-(--edge) pb-6">
          <OneColumn board={board} problems={problems} bulk={bulk} />
        </div>
      ) : (
        <div ref={frame} className="flex min-h-0 flex-1 gap-3 overflow-x-auto px-(--edge) pt-2">
          {columns.map((column) => (
            <BoardColumn key={column} column={column} workers={board[column]} problems={problems} />
          ))}
        </div>
      )}
    </>
  );
}

/** Moves the focus to the next or previous card. */
function step(frame: HTMLElement | null, by: 1 | -1): void {
  const cards = [...(frame?.querySelectorAll<HTMLElement>("[data-worker]") ?? [])];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = at < 0 ? cards.at(by > 0 ? 0 : -1) : cards[at + by];
  next?.querySelector("a")?.focus();
}

/** On a phone, the column to look at first is the one that needs a person most. */
const byUrgency: readonly Column[] = ["needs", "review", "failed", "working", "queued", "merged"];

interface OneColumnProps {
  readonly board: Board;
  readonly problems: Problems;
  readonly bulk: React.ReactNode;
}

/** The board on a phone: one column at a time. */
function OneColumn({ board, problems, bulk }: OneColumnProps) {
  const [chosen, setChosen] = useState<Column>();
  const column = chosen ?? byUrgency.find((each) => board[each].length > 0) ?? "working";
  return (
    <>
      <fieldset aria-label="Columns" className="-mx-(--edge) flex gap-1.5 overflow-x-auto px-(--edge) py-2">
        {columns.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === column}
            onClick={() => setChosen(each)}
            className="flex shrink-0 items-center gap-1.5 rounded-full border border-line px-3 text-muted text-xs aria-pressed:border-ink aria-pressed:text-ink"
          >
            {columnTitles[each]}
            <span className="tabular-nums">{board[each].length.toLocaleString("en")}</span>
          </button>
        ))}
      </fieldset>
      <div className="mb-2 flex flex-wrap gap-2 empty:hidden">{bulk}</div>
      {board[column].length === 0 ? (
        <p className="py-8 text-center text-muted">No workers here</p>
      ) : (
        <Cards column={column} workers={board[column]} problems={problems} />
      )}
    </>
  );
}
