import type { AgentFact } from "@drover/core";

/** No speech fact is longer, so that what the engine stores and sends at once stays small. */
export const maxSpeech = 65_536;

type Speech = Extract<AgentFact, { type: "text" | "thinking" }>;

/** Who speaks, and how: consecutive chunks with the same voice are one speech. */
export interface Voice {
  readonly type: Speech["type"];
  readonly parent: string | undefined;
}

/** The facts of one batch of lines. A run of chunks becomes one fact, so that later work is per run, not per chunk. */
export class FactBatch {
  readonly facts: AgentFact[] = [];
  #speech: Speech | undefined;

  push(fact: AgentFact): void {
    this.#speech = undefined;
    this.facts.push(fact);
  }

  speak(voice: Voice, words: string): void {
    const speech = this.#speech;
    if (
      speech !== undefined &&
      speech.type === voice.type &&
      speech.parent === voice.parent &&
      speech.text.length + words.length <= maxSpeech
    ) {
      speech.text += words;
    } else {
      for (const piece of pieces(words)) this.#begin(voice, piece);
    }
  }

  #begin({ type, parent }: Voice, words: string): void {
    this.#speech = parent === undefined ? { type, text: words } : { type, text: words, parent };
    this.facts.push(this.#speech);
  }
}

/** Splits text that is too long for one fact, never inside a character. */
function* pieces(words: string): Generator<string> {
  let from = 0;
  while (words.length - from > maxSpeech) {
    const at = from + maxSpeech;
    const isLowSurrogate = (words.charCodeAt(at) & 0xfc00) === 0xdc00;
    const end = isLowSurrogate ? at - 1 : at;
    yield words.slice(from, end);
    from = end;
  }
  if (from < words.length) yield from === 0 ? words : words.slice(from);
}
