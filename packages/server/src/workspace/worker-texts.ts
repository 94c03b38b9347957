import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkerMode } from "@drover/core";

/** What Drover writes to workers, kept as Markdown in `prompts/`. */
export interface WorkerTexts {
  /** What a worker of this mode has to do. */
  readonly mode: (mode: WorkerMode) => string;
  /** Asks for the signal that a run did not leave. */
  readonly instruction: (problem: string) => string;
}

/** `programs`: where Drover's own files are, in a checkout or in a package. */
export function workerTexts(programs: string): WorkerTexts {
  const read = (name: string) => readFileSync(join(programs, "workspace", "prompts", `${name}.md`), "utf8");
  return {
    mode: read,
    instruction: (problem) =>
      read("instruction")
        .trim()
        .replace("{problem}", () => problem),
  };
}
