import type { Session } from "@drover/core";
import { count } from "./words.ts";

/** What a worker's branch has beyond its base: `3 files +20 −4`. */
export function changesOf({ worker }: Session): string {
  const { files, added, removed } = worker?.changes ?? { files: 0, added: 0, removed: 0 };
  return files === 0 ? "" : `${count(files, "file")} +${added} −${removed}`;
}

/** What its last run has proposed: `3 open, 1 invalid`. */
export function proposalsOf({ worker }: Session): string | undefined {
  if (!worker?.proposals) return undefined;
  const { open, invalid } = worker.proposals;
  return `${open} open${invalid === 0 ? "" : `, ${invalid} invalid`}`;
}

/** What a worker handed over, in its own form. */
export const textOf = (result: unknown): string =>
  typeof result === "string" ? result : JSON.stringify(result, null, 2);
