import type { Session } from "@drover/core";
import { count } from "./words.ts";

/** What a worker's branch has beyond its base: `3 files +20 −4`. */
export function changesOf({ worker }: Session): string {
  const { files, added, removed } = worker?.changes ?? { files: 0, added: 0, removed: 0 };
  return files === 0 ? "" : `${count(files, "file")} +${added} −${removed}`;
}

/** What a worker handed over, in its own form. */
export const textOf = (result: unknown): string =>
  typeof result === "string" ? result : JSON.stringify(result, null, 2);
