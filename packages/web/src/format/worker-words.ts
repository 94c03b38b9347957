import type { WorkerMode } from "@drover/core";

/** What a worker of each mode does. */
export const workerModeWords: Readonly<Record<WorkerMode, { name: string; meaning: string }>> = {
  execute: { name: "Execute", meaning: "Does the task: changes files on a branch of its own." },
  discuss: { name: "Discuss", meaning: "Changes no files. Asks questions and proposes decisions." },
  plan: { name: "Plan", meaning: "Changes no files. Proposes the phases of the work." },
  detail: { name: "Detail", meaning: "Changes no files. Proposes the tasks of a phase." },
  refine: { name: "Refine", meaning: "Changes no files. Proposes better pages." },
};

/** What to call a worker's mode, unless it is the usual one. */
export const unusualMode = ({ mode }: { readonly mode: WorkerMode }): string | undefined =>
  mode === "execute" ? undefined : workerModeWords[mode].name;
