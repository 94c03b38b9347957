import type { Attempt, ContextEntry } from "@drover/core";
import type { SessionRow } from "../../ports.ts";

/** Precedes a prompt that the worker may have begun to work on. */
export function retryNote({ about }: SessionRow, { n, prompt }: Attempt): ContextEntry[] {
  if (about.kind !== "worker" || n === 1 || prompt.kind === "instruct") return [];
  const content =
    "The last run of this task was cut off. The directory is as that run left it: look at what is there before you continue.";
  return [{ from: "drover", content }];
}
