import { useEffect, useRef, useState } from "react";
import { type Coloured, HighlightBlock } from "./highlight-block.ts";
import type { Line } from "./highlighter.ts";

/** Longer code stays plain: nobody reads colours over so many lines, and each costs. */
const maxLines = 2_000;

/** By language and code, so that a block scrolled back into view has its colours at once. */
const finished = new Map<string, readonly Line[]>();
const maxFinished = 300;

function remember(key: string, lines: readonly Line[]): void {
  finished.set(key, lines);
  const oldest = finished.keys().next().value;
  if (finished.size > maxFinished && oldest !== undefined) finished.delete(oldest);
}

/**
 * The lines of this code that have their colours so far, in order from the first. Growing code keeps the colours it
 * has.
 */
export function useHighlight(code: string, language: string | undefined): readonly Line[] {
  const key = `${language}\n${code}`;
  const block = useRef<HighlightBlock>(undefined);
  const [coloured, setColoured] = useState<Coloured>();

  useEffect(() => {
    if (!language || finished.has(key) || code.split("\n", maxLines + 1).length > maxLines) return;
    block.current ??= new HighlightBlock((news) => {
      remember(`${language}\n${news.code}`, news.lines);
      setColoured(news);
    });
    block.current.read(code, language);
  }, [code, language, key]);
  useEffect(
    () => () => {
      block.current?.[Symbol.dispose]();
      block.current = undefined;
    },
    [],
  );

  return finished.get(key) ?? stillTrue(coloured, code);
}

/** Colours of an earlier version of the code, as far as the code has not changed since. */
function stillTrue(coloured: Coloured | undefined, code: string): readonly Line[] {
  if (!coloured) return [];
  const before = coloured.code.split("\n");
  const now = code.split("\n");
  let same = 0;
  while (same < coloured.lines.length && before[same] === now[same]) same++;
  return coloured.lines.slice(0, same);
}
