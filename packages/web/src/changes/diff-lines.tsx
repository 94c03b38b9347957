import { memo, useMemo } from "react";
import type { Colours } from "../code/use-diff-colours.ts";
import type { DiffRow } from "./diff-parse.ts";
import { HeadLine, SideLine, UnifiedLine } from "./diff-row.tsx";
import type { FileLayout } from "./layout.ts";
import { changedStretches } from "./line-changes.ts";
import { counterpart } from "./split-rows.ts";

interface DiffLinesProps {
  readonly lines: FileLayout;
  /** The lines to render; the others are out of view. */
  readonly from: number;
  readonly to: number;
  /** The height of what is below a line, such as comments. */
  readonly below: (at: number) => number;
  readonly colours: Colours;
  readonly onComment: (row: DiffRow) => void;
}

/** The lines of a file that are in view, positioned absolutely. */
export function DiffLines({ lines, from, to, below, colours, onComment }: DiffLinesProps) {
  const numbers = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i);
  return numbers.map((at) => {
    const top = lines.tops[at] ?? 0;
    const height = (lines.tops[at + 1] ?? top) - top - below(at);
    return (
      <div key={at} className="absolute inset-x-0" style={{ top, height }}>
        {lines.split ? (
          <Pair lines={lines} at={at} colours={colours} onComment={onComment} />
        ) : (
          <Unified rows={lines.rows} at={at} colours={colours} onComment={onComment} />
        )}
      </div>
    );
  });
}

interface UnifiedProps extends Pick<DiffLinesProps, "colours" | "onComment"> {
  readonly rows: readonly DiffRow[];
  readonly at: number;
}

const Unified = memo(function Unified({ rows, at, colours, onComment }: UnifiedProps) {
  const row = rows[at];
  const stretches = useMemo(() => {
    const other = counterpart(rows, at);
    if (!row || !other) return undefined;
    return row.kind === "removed"
      ? changedStretches(row.text, other.text)?.old
      : changedStretches(other.text, row.text)?.now;
  }, [rows, at, row]);
  if (!row) return null;
  if (row.kind === "hunk" || row.kind === "note") return <HeadLine row={row} />;
  return <UnifiedLine {...{ row, stretches, onComment }} tokens={colours.get(row)} />;
});

const Pair = memo(function Pair({
  lines,
  at,
  colours,
  onComment,
}: Pick<DiffLinesProps, "lines" | "colours" | "onComment"> & { at: number }) {
  const { left = -1, right = -1 } = lines.split?.[at] ?? {};
  const old = lines.rows[left];
  const now = lines.rows[right];
  const stretches = useMemo(() => {
    const isChange = old?.kind === "removed" && now?.kind === "added";
    return isChange ? changedStretches(old.text, now.text) : undefined;
  }, [old, now]);
  if (old && (old.kind === "hunk" || old.kind === "note")) return <HeadLine row={old} />;
  return (
    <div className="grid h-full grid-cols-2 divide-x divide-line">
      {old ? (
        <SideLine
          row={old}
          side="old"
          stretches={stretches?.old}
          tokens={colours.get(old)}
          onComment={onComment}
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
          onComment={onComment}
        />
      ) : (
        <div className="bg-raised" />
      )}
    </div>
  );
});
