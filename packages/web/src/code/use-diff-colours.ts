import { useEffect, useState } from "react";
import { highlightOnce } from "./highlight-block.ts";
import type { Line } from "./highlighter.ts";

/** The side of a line: old, new, or both. */
export type DiffSide = "old" | "now" | "both";

/** Longer changes stay plain, because highlighting them is slow. */
const maxLines = 2_000;
/** How many lines keep their colours when they are out of view, over all changes. */
const maxKept = 4_000;

/** Skips code that is only scrolled past. */
const passingMs = 100;

/** Colours by line. */
export type Colours = Pick<WeakMap<object, Line>, "get">;

const none: Colours = new WeakMap();

/** Oldest first. Scrolling back shows their colours at once. */
const kept = new Map<readonly object[], Colours>();

function keep(lines: readonly object[], colours: Colours): void {
  kept.set(lines, colours);
  let count = 0;
  for (const others of [...kept.keys()].reverse()) {
    count += others.length;
    if (count > maxKept) kept.delete(others);
  }
}

interface Change<L> {
  readonly path: string;
  readonly lines: readonly L[];
  /** Undefined for a row that is not a line of the file. Highlighting restarts after it. */
  readonly sideOf: (line: L) => DiffSide | undefined;
}

/**
 * The colours of a change's lines, once known. Each side is highlighted separately, so that a comment opened on the old
 * side does not affect the new one.
 */
export function useDiffColours<L extends { readonly text: string }>(change: Change<L>): Colours {
  const { path, lines, sideOf } = change;
  const [coloured, setColoured] = useState<{ lines: readonly L[]; colours: Colours }>();
  useEffect(() => {
    if (kept.has(lines) || lines.length > maxLines) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const colours = await colour({ path, lines, sideOf });
      keep(lines, colours);
      if (isWanted) setColoured({ lines, colours });
    }, passingMs);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [path, lines, sideOf]);
  if (coloured?.lines === lines) return coloured.colours;
  return kept.get(lines) ?? none;
}

async function colour<L extends { readonly text: string }>(change: Change<L>): Promise<Colours> {
  const { path, lines, sideOf } = change;
  const colours = new WeakMap<object, Line>();
  const read = async (stretch: readonly L[], side: "old" | "now") => {
    const isWanted = (line: L) => sideOf(line) === side || (side === "now" && sideOf(line) === "both");
    if (!stretch.some(isWanted)) return;
    const code = stretch.filter((line) => sideOf(line) === side || sideOf(line) === "both");
    const found = await highlightOnce(code.map(({ text }) => text).join("\n"), languageOf(path));
    for (const [at, line] of code.entries()) {
      const tokens = found[at];
      if (tokens && isWanted(line)) colours.set(line, tokens);
    }
  };
  const stretches = stretchesOf(lines, sideOf);
  await Promise.all(stretches.flatMap((stretch) => [read(stretch, "old"), read(stretch, "now")]));
  return colours;
}

function stretchesOf<L>(lines: readonly L[], sideOf: Change<L>["sideOf"]): L[][] {
  const stretches: L[][] = [];
  let open: L[] | undefined;
  for (const line of lines) {
    if (sideOf(line) === undefined) open = undefined;
    else if (open) open.push(line);
    else {
      open = [line];
      stretches.push(open);
    }
  }
  return stretches;
}

/** The extension of a file, or its whole name if it has none, such as `Makefile`. */
const languageOf = (path: string): string => /([^./]+)$/.exec(path)?.[1] ?? "";
