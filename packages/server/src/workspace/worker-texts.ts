import { readFileSync } from "node:fs";
import { join } from "node:path";
import { modeRules, type WorkerMode } from "@drover/core";

/** What Drover writes to workers, kept as Markdown in `prompts/`. */
export interface WorkerTexts {
  /** What a worker of this mode has to do. */
  readonly mode: (mode: WorkerMode) => string;
  /** Asks for the signal, or the output, that a run did not leave. */
  readonly instruction: (problem: string) => string;
}

/** `programs`: where Drover's own files are, in a checkout or in a package. */
export function workerTexts(programs: string): WorkerTexts {
  const read = (name: string) =>
    readFileSync(join(programs, "workspace", "prompts", `${name}.md`), "utf8").trim();
  return {
    mode(mode) {
      const { takes, changesFiles } = modeRules[mode];
      const input = new Intl.ListFormat("en", { type: "disjunction" }).format(takes);
      const parts = ["start", mode, ...(changesFiles ? [] : ["proposals"]), "signal"];
      return parts
        .map(read)
        .join("\n\n")
        .replace("{input}", () => input);
    },
    instruction: (problem) => read("instruction").replace("{problem}", () => problem),
  };
}
