import { memo, useMemo } from "react";
import type { Colours } from "../code/use-diff-colours.ts";
import { NoteLine, SideLine, UnifiedLine } from "./diff-row.tsx";
import { type HunkActions, HunkLine } from "./hunk-line.tsx";
import type { FileLayout } from "./layout.ts";
import { changedStretches } from "./line-changes.ts";
import type { DiffRow } from "./rows.ts";
import { counterpart } from "./split-rows.ts";

interface DiffLinesProps {
  readonly lines: FileLayout;
  /** The lines to render; the others are out of view. */
  readonly from: number;
  readonly to: number;
  /** The height of what is below a line, such as comments. */
  readonly below: (at: number) => number;
  readonly colours: Colours;
  /** The rows that are chosen for a comment, or that a comment is about. */
  readonly chosen: ReadonlySet<number>;
  readonly hunkActions: HunkActions;
}

/** The lines of a file that are in view, positioned absolutely. */
export function DiffLines({ lines, from, to, below, chosen, ...rest }: DiffLinesProps) {
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return numbers.map((at) => {
    const top = lines.tops[at] ?? 0;
    const height = (lines.tops[at + 1] ?? top) - top - below(at);
    return (
      <div key={keyOf(lines, at)} data-line={at} className="absolute inset-x-0" style={{ top, height }}>
        {lines.split ? (
          <Pair
            {...{ lines, at, ...rest }}
            isLeftChosen={chosen.has(lines.split[at]?.left ?? -1)}
            isRightChosen={chosen.has(lines.split[at]?.right ?? -1)}
          />
        ) : (
          <Unified rows={lines.rows} at={at} isChosen={chosen.has(at)} {...rest} />
        )}
      </div>
    );
  });
}

/** The same line has the same key when lines are revealed above it, so that it keeps the focus. */
function keyOf({ rows, split }: FileLayout, at: number): string {
  const { left, right } = split?.[at] ?? { left: at, right: at };
  const [old, now] = [rows[left], rows[right]];
  const row = old ?? now;
  if (row?.hunk) return `hunk ${row.hunk.id}`;
  return row?.kind === "note" ? `note ${at}` : `${old?.old ?? 0} ${now?.now ?? 0}`;
}

interface UnifiedProps extends Pick<DiffLinesProps, "colours" | "hunkActions"> {
  readonly rows: readonly DiffRow[];
  readonly at: number;
  readonly isChosen: boolean;
}

const Unified = memo(function Unified({ rows, at, isChosen, colours, hunkActions }: UnifiedProps) {
  const row = rows[at];
  const stretches = useMemo(() => {
    const other = counterpart(rows, at);
    if (!row || !other) return undefined;
    return row.kind === "removed"
      ? changedStretches(row.text, other.text)?.old
      : changedStretches(other.text, row.text)?.now;
  }, [rows, at, row]);
  if (!row) return null;
  if (row.hunk) return <HunkLine hunk={row.hunk} text={row.text} actions={hunkActions} />;
  if (row.kind === "note") return <NoteLine row={row} />;
  return <UnifiedLine {...{ row, stretches, at, isChosen }} tokens={colours.get(row)} />;
});

interface PairProps extends Pick<DiffLinesProps, "lines" | "colours" | "hunkActions"> {
  readonly at: number;
  readonly isLeftChosen: boolean;
  readonly isRightChosen: boolean;
}

const Pair = memo(function Pair(props: PairProps) {
  const { lines, at, isLeftChosen, isRightChosen, colours, hunkActions } = props;
  const { left = -1, right = -1 } = lines.split?.[at] ?? {};
  const old = lines.rows[left];
  const now = lines.rows[right];
  const stretches = useMemo(() => {
    const isChange = old?.kind === "removed" && now?.kind === "added";
    return isChange ? changedStretches(old.text, now.text) : undefined;
  }, [old, now]);
  if (old?.hunk) return <HunkLine hunk={old.hunk} text={old.text} actions={hunkActions} />;
  if (old?.kind === "note") return <NoteLine row={old} />;
  return (
    <div className="grid h-full grid-cols-2 divide-x divide-line">
      {old ? (
        <SideLine
          row={old}
          side="old"
          stretches={stretches?.old}
          tokens={colours.get(old)}
          at={left}
          // An unchanged line is chosen on the right.
          isChosen={isLeftChosen && old.kind === "removed"}
        />
      ) : (
        <div className="bg-raised" />
      )}
      {now ? (
        <SideLine
          row={now}
          side="now"
          stretches={stretches?.now}
          tokens={colours.get(now)}
          at={right}
          isChosen={isRightChosen}
        />
      ) : (
        <div className="bg-raised" />
      )}
    </div>
  );
});
