import type { AgentFact } from "@drover/core";

/** This many lines are reported one by one; an agent that writes nothing else must not fill the log. */
const REPORTED = 20;
const EXCERPT = 80;

/** Reports output lines that are not messages, up to a limit. The raw log has all of them. */
export class BadLines {
  readonly #name: string;
  #count = 0;
  #hasReportedStartup = false;

  constructor(name: string) {
    this.#name = name;
  }

  /** Startup may be noisy (banners, package runner warnings): one notice covers all of it. */
  reportStartup(line: string): AgentFact | undefined {
    if (this.#hasReportedStartup) return undefined;
    this.#hasReportedStartup = true;
    const message = `${this.#name} printed text before it was ready; all of it is in the raw log`;
    return { type: "notice", code: "BAD_LINE", message, facts: { excerpt: excerptOf(line) } };
  }

  /** The notice for this line; none once the limit is reached. */
  report(line: string): AgentFact | undefined {
    this.#count += 1;
    if (this.#count > REPORTED + 1) return undefined;
    const message =
      this.#count > REPORTED
        ? `${this.#name} keeps writing lines that are not messages; further ones are only in the raw log`
        : `${this.#name} wrote a line that is not a message; it is only in the raw log`;
    return { type: "notice", code: "BAD_LINE", message, facts: { excerpt: excerptOf(line) } };
  }
}

export const skippedLine = (bytes: number): AgentFact => ({
  type: "notice",
  code: "LINE_SKIPPED",
  message: `A line of ${bytes} bytes is too long to parse; it is only in the raw log`,
  facts: { bytes },
});

/** Printable and short: it is shown on pages and terminals. */
function excerptOf(line: string): string {
  const start = line.slice(0, EXCERPT).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
  return line.length > EXCERPT ? `${start}…` : start;
}
