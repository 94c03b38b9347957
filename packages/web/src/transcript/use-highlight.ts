import { useEffect, useReducer, useRef } from "react";
import type { GrammarState } from "shiki/core";
import { canHighlight, type Line, loadTokeniser, type Tokenise } from "./highlighter.ts";

/** Longer code stays plain: nobody reads colours over so many lines, and each costs. */
const maxLines = 2_000;
/** A frame has 16 ms; colours take no more than this of it. */
const sliceMs = 6;

interface Work {
  readonly lines: readonly string[];
  readonly done: Line[];
  /** What each finished line left open: where a change begins, reading begins again. */
  readonly states: (GrammarState | undefined)[];
}

/** Finished blocks by language and code, so that a block scrolled back into view has its colours at once. */
const finished = new Map<string, readonly Line[]>();
const maxFinished = 300;

function remember(key: string, lines: readonly Line[]): void {
  finished.set(key, lines);
  const oldest = finished.keys().next().value;
  if (finished.size > maxFinished && oldest !== undefined) finished.delete(oldest);
}

/**
 * The lines of this code that have their colours so far, in order from the first. Growing code keeps the colours it
 * has; only its last lines are read again.
 */
export function useHighlight(code: string, language: string | undefined): readonly Line[] {
  const key = `${language}\n${code}`;
  const work = useRef<Work>(undefined);
  const [, redraw] = useReducer((count: number) => count + 1, 0);

  useEffect(() => {
    if (!language || !canHighlight(language) || finished.has(key)) return;
    const lines = code.split("\n");
    if (lines.length > maxLines) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let cancelled = false;
    const go = (tokenise: Tokenise, begun: Work) => {
      read(tokenise, begun);
      work.current = begun;
      if (begun.done.length < lines.length) timer = setTimeout(go, 0, tokenise, begun);
      else remember(key, [...begun.done]);
      redraw();
    };
    void loadTokeniser(language).then((tokenise) => {
      if (!cancelled) timer = setTimeout(go, 0, tokenise, goOn(work.current, lines));
    });
    return () => {
      cancelled = true;
      clearTimeout(timer);
    };
  }, [code, language, key]);

  return finished.get(key) ?? stillTrue(work.current, code);
}

function read(tokenise: Tokenise, { lines, done, states }: Work): void {
  const until = performance.now() + sliceMs;
  while (done.length < lines.length && performance.now() < until) {
    const { line, state } = tokenise(lines[done.length] ?? "", states.at(-1));
    done.push(line);
    states.push(state);
  }
}

function goOn(before: Work | undefined, lines: readonly string[]): Work {
  const same = samePrefix(before, lines);
  return { lines, done: before?.done.slice(0, same) ?? [], states: before?.states.slice(0, same) ?? [] };
}

function samePrefix(work: Work | undefined, lines: readonly string[]): number {
  let same = 0;
  while (work && same < work.done.length && work.lines[same] === lines[same]) same++;
  return same;
}

/** Colours of an earlier version of the code, as far as the code has not changed since. */
function stillTrue(work: Work | undefined, code: string): readonly Line[] {
  if (!work) return [];
  return work.done.slice(0, samePrefix(work, code.split("\n")));
}
