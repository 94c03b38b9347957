// Highlights code in a worker: compiling a grammar takes 100 ms, too long for a frame.
import type { GrammarState } from "shiki/core";
import { type Line, loadTokeniser, type Tokenise } from "./highlighter.ts";

/** The current code of a block. Without a language, the block is removed. */
export interface HighlightRequest {
  readonly block: number;
  readonly language?: string;
  readonly code?: string;
}

/** The block's lines from `from` on; those before it have not changed. */
export interface HighlightReply {
  readonly block: number;
  readonly from: number;
  readonly lines: readonly Line[];
}

interface Work {
  readonly lines: readonly string[];
  /** The state after each line. Highlighting restarts where a change begins. */
  readonly states: readonly (GrammarState | undefined)[];
}

const blocks = new Map<number, Work>();

addEventListener("message", ({ data }: MessageEvent<HighlightRequest>) => void highlight(data));

async function highlight({ block, language, code = "" }: HighlightRequest): Promise<void> {
  if (language === undefined) return void blocks.delete(block);
  const tokenise = await loadTokeniser(language);
  const reply = tokenise ? read(block, code.split("\n"), tokenise) : { block, from: 0, lines: [] };
  postMessage(reply satisfies HighlightReply);
}

function read(block: number, lines: readonly string[], tokenise: Tokenise): HighlightReply {
  const before = blocks.get(block);
  let from = 0;
  while (before && from < before.lines.length && before.lines[from] === lines[from]) from++;
  const states = before?.states.slice(0, from) ?? [];
  const read = lines.slice(from).map((text) => {
    const { line, state } = tokenise(text, states.at(-1));
    states.push(state);
    return line;
  });
  blocks.set(block, { lines, states });
  return { block, from, lines: read };
}
