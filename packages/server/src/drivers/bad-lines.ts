import type { AgentFact } from "@drover/core";

/** So many lines are reported one by one; an agent that writes nothing else must not fill the log. */
const REPORTED = 20;
const EXCERPT = 80;

/** Lines of an agent's output that are no messages: told, but not without end. The raw log has them all. */
export class BadLines {
  readonly #name: string;
  #count = 0;
  #hasToldOfStart = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** A start may be noisy (banners, warnings of a package runner): one notice covers all of it. */
  tellOfStart(line: string): AgentFact | undefined {
    if (this.#hasToldOfStart) return undefined;
    this.#hasToldOfStart = true;
    const message = `${this.#name} printed text before it was ready; all of it is in the raw log`;
    return { type: "notice", code: "BAD_LINE", message, facts: { excerpt: excerptOf(line) } };
  }

  /** What is to be told of this one; nothing once enough was said. */
  tell(line: string): AgentFact | undefined {
    this.#count += 1;
    if (this.#count > REPORTED + 1) return undefined;
    const message =
      this.#count > REPORTED
        ? `${this.#name} goes on writing lines that are no messages; further ones are only in its raw log`
        : `${this.#name} wrote a line that is no message; it is only in its raw log`;
    return { type: "notice", code: "BAD_LINE", message, facts: { excerpt: excerptOf(line) } };
  }
}

export const skippedLine = (bytes: number): AgentFact => ({
  type: "notice",
  code: "LINE_SKIPPED",
  message: `A line of ${bytes} bytes is too long to be read; it is only in the raw log`,
  facts: { bytes },
});

/** Printable and short: it is shown on pages and terminals. */
function excerptOf(line: string): string {
  const start = line.slice(0, EXCERPT).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return line.length > EXCERPT ? `${start}…` : start;
}
