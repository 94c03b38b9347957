import { useMemo } from "react";
import type { FileView } from "./change-set.ts";
import type { LineComment } from "./comments.ts";
import {
  type Block,
  type DiffMode,
  type Extras,
  type FileLayout,
  guessHeight,
  headerHeight,
  layoutFile,
  type Measures,
  placeBlocks,
} from "./layout.ts";
import { type Placement, placeComments } from "./placement.ts";
import type { DiffRow } from "./rows.ts";
import { splitRows } from "./split-rows.ts";

/** Measured heights of comment boxes, by file and line. */
export type BoxHeights = ReadonlyMap<string, Extras>;

/** The height of a box that is not measured yet. */
const guessedBox = 128;
const border = 2;

export interface Layout {
  readonly blocks: readonly Block[];
  readonly height: number;
  readonly placements: ReadonlyMap<string, Placement>;
  readonly extras: ReadonlyMap<string, Extras>;
}

interface LayoutInput {
  readonly files: readonly FileView[];
  readonly mode: DiffMode;
  readonly folded: ReadonlySet<string>;
  readonly measures: Measures | undefined;
  readonly comments: readonly LineComment[];
  readonly boxes: BoxHeights;
}

interface Remembered {
  readonly key: string;
  readonly extras: Extras | undefined;
  readonly lines: FileLayout;
}

/** Caches the layout of each file, because most updates concern one file or none. */
const remembered = new WeakMap<readonly DiffRow[], Remembered>();

export function useBlocks({ files, mode, folded, measures, comments, boxes }: LayoutInput): Layout {
  const placements = useMemo(() => {
    const byPath = Map.groupBy(comments, ({ path }) => path);
    return new Map(
      files.flatMap(({ path, rows }): [string, Placement][] => {
        const own = byPath.get(path);
        if (!own || !rows) return [];
        return [[path, placeComments(own, mode === "split" ? { rows, split: splitRows(rows) } : { rows })]];
      }),
    );
  }, [files, mode, comments]);

  const extras = useMemo(
    () =>
      new Map(
        [...placements].map(([path, placed]) => {
          const known = boxes.get(path);
          return [path, new Map([...placed.keys()].map((at) => [at, known?.get(at) ?? guessedBox]))] as const;
        }),
      ),
    [placements, boxes],
  );

  return useMemo(() => {
    if (!measures) return { blocks: [], height: 0, placements, extras };
    const sized = files.map((file): Omit<Block, "top"> => {
      const isFolded = folded.has(file.path);
      if (isFolded) return { file, folded: true, height: headerHeight };
      if (!file.rows)
        return { file, folded: false, height: headerHeight + guessHeight(file, measures) + border };
      const lines = linesOf(file.rows, { mode, measures, extras: extras.get(file.path) });
      const height = headerHeight + (lines.tops.at(-1) ?? 0) + border;
      return { file, folded: false, lines, height };
    });
    return { ...placeBlocks(sized), placements, extras };
  }, [files, mode, folded, measures, placements, extras]);
}

interface Shape {
  readonly mode: DiffMode;
  readonly measures: Measures;
  readonly extras: Extras | undefined;
}

function linesOf(rows: readonly DiffRow[], { mode, measures, extras }: Shape): FileLayout {
  const key = `${mode} ${measures.columns} ${measures.lineHeight}`;
  const known = remembered.get(rows);
  if (known?.key === key && known.extras === extras) return known.lines;
  const lines = layoutFile(rows, mode, { measures, extras });
  remembered.set(rows, { key, extras, lines });
  return lines;
}
