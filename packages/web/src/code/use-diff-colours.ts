import { useEffect, useState } from "react";
import { highlightOnce } from "./highlight-block.ts";
import type { Line } from "./highlighter.ts";

/** Where a line of a change stands: before it, after it, or unchanged on both sides. */
export type DiffSide = "old" | "now" | "both";

/** Longer changes stay plain: nobody reads colours over so many lines, and each costs. */
const maxLines = 2_000;
/** Of all changes together so many lines keep their colours when they are out of sight. */
const maxKept = 4_000;

/** What only passes by under somebody's scrolling is not read: the colours of where they stop come first. */
const passingMs = 100;

/** The colours of lines, by the very lines. */
export type Colours = Pick<WeakMap<object, Line>, "get">;

const none: Colours = new WeakMap();

/** The oldest first. Whoever scrolls back to one of them has its colours at once. */
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
  /** Undefined for what is no line of the file: code before it says nothing of code after it. */
  readonly sideOf: (line: L) => DiffSide | undefined;
}

/**
 * The colours of a change's lines, once they are known. Each side is read as the code it is: a comment that only the
 * old side opens does not grey the new one.
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

/** The ending of a file's name, or all of it: `Makefile` has none. */
const languageOf = (path: string): string => /([^./]+)$/.exec(path)?.[1] ?? "";
