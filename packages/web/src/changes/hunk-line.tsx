import { exactText, type Result } from "@drover/core";
import { memo } from "react";
import type { Problem } from "../transport/wire.ts";
import { DownIcon, ExpandIcon, UndoIcon, UpIcon } from "../ui/icons.tsx";
import { useAction } from "../ui/use-action.ts";
import { type LineRange, type Reveal, revealsOf } from "./hunks.ts";
import type { Hunk } from "./rows.ts";
import type { TakeBack } from "./use-edits.ts";

export type OnReveal = (range: LineRange) => Promise<Result<unknown, Problem>>;

/** What can be done with the hunks of a file. */
export interface HunkActions {
  readonly path: string;
  readonly onReveal?: OnReveal;
  readonly takeBack: TakeBack | undefined;
}

interface HunkLineProps {
  readonly hunk: Hunk;
  /** The range of its lines. */
  readonly text: string;
  readonly actions: HunkActions;
}

const icons = { down: DownIcon, up: UpIcon, all: ExpandIcon };

/** The header of a hunk: its lines, and buttons for the hidden ones above it. */
export const HunkLine = memo(function HunkLine({ hunk, text, actions }: HunkLineProps) {
  const { path, onReveal, takeBack } = actions;
  const { patch } = hunk;
  const onHunk = takeBack?.onHunk;
  const { busy, problem, run } = useAction();
  return (
    <div className="flex h-full items-center gap-1 bg-raised px-1 font-sans text-2xs text-muted">
      {(onReveal ? revealsOf(hunk) : []).map((reveal) => (
        <RevealButton
          key={reveal.direction}
          {...{ reveal, busy }}
          onClick={() => onReveal && void run(() => onReveal(reveal))}
        />
      ))}
      <span className="mx-1 whitespace-nowrap tabular-nums">{text}</span>
      {hunk.place && <span className="min-w-0 truncate font-mono text-faint">{hunk.place}</span>}
      {problem && (
        <span role="alert" className="min-w-0 truncate text-bad" title={problem.message}>
          {problem.message}
        </span>
      )}
      {takeBack && onHunk && patch !== undefined && (
        <button
          type="button"
          aria-label={`${takeBack.verb} ${text.toLowerCase()} of ${exactText(path)}`}
          title={takeBack.locked ?? `${takeBack.verb} only these lines`}
          aria-disabled={takeBack.locked !== undefined}
          onClick={() => takeBack.locked ?? onHunk(path, patch)}
          className="ml-auto flex h-6 shrink-0 items-center gap-1 rounded-md px-1.5 text-muted hover:bg-hover hover:text-ink"
        >
          <UndoIcon size={12} />
          {takeBack.verb}
        </button>
      )}
    </div>
  );
});

interface RevealButtonProps {
  readonly reveal: Reveal;
  readonly busy: boolean;
  readonly onClick: () => void;
}

function RevealButton({ reveal: { direction, from, to, name }, busy, onClick }: RevealButtonProps) {
  const Icon = icons[direction];
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      // Not disabled: it would lose the focus.
      aria-disabled={busy}
      onClick={onClick}
      className="flex h-6 min-w-6 shrink-0 items-center justify-center gap-0.5 rounded-md px-1 text-muted tabular-nums hover:bg-hover hover:text-ink"
    >
      <Icon size={12} />
      {to - from + 1}
    </button>
  );
}
