import { bootId } from "./process-table.ts";
import { killTree } from "./tree.ts";

/** Ends every process that carries a session's mark, for when no process of it is on record to start from. */
export async function sweepMarked(mark: string, grace: number): Promise<void> {
  await killTree({ identity: { pid: -1, startTime: "", bootId: bootId() }, mark, grace });
}
