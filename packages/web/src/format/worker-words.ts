import type { SpawnWorker } from "@drover/core";

type Mode = SpawnWorker["mode"];

/** What a worker of each mode does. */
export const workerModeWords: Readonly<Record<Mode, { name: string; meaning: string }>> = {
  execute: { name: "Execute", meaning: "Does the task: changes files on a branch of its own." },
  discuss: { name: "Discuss", meaning: "Changes no files. Asks questions and proposes decisions." },
  plan: { name: "Plan", meaning: "Changes no files. Proposes the phases of the work." },
  detail: { name: "Detail", meaning: "Changes no files. Proposes the tasks of a phase." },
  refine: { name: "Refine", meaning: "Changes no files. Proposes better pages." },
};

/** What to call a worker's mode, unless it is the usual one. */
export const unusualMode = ({ mode }: { readonly mode: Mode }): string | undefined =>
  mode === "execute" ? undefined : workerModeWords[mode].name;

export const workerModeNames = Object.keys(workerModeWords) as readonly Mode[];
