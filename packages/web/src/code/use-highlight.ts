import { useEffect, useRef, useState } from "react";
import { type Coloured, HighlightBlock } from "./highlight-block.ts";
import type { Line } from "./highlighter.ts";

/** Longer code stays plain, because highlighting it is slow. */
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
 * The lines highlighted so far, from the first one on. Growing code keeps its colours.
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

/** Colours of an earlier version, up to the first line that has changed. */
function stillTrue(coloured: Coloured | undefined, code: string): readonly Line[] {
  if (!coloured) return [];
  const before = coloured.code.split("\n");
  const now = code.split("\n");
  let same = 0;
  while (same < coloured.lines.length && before[same] === now[same]) same++;
  return coloured.lines.slice(0, same);
}
