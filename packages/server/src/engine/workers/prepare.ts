import { join } from "node:path";
import { manifestText } from "@drover/core";
import type { SessionLog } from "../session/log.ts";

/** Writes what a worker finds when it starts. Nothing for other sessions. Rejects with a Fault. */
export async function prepareWorker({ deps, journal }: SessionLog, run: number): Promise<void> {
  const { id, name, cwd, about, runtime } = journal.row;
  const { worker } = about;
  if (!worker) return;
  await deps.workers.files.prepare(cwd, {
    manifest: manifestText({ sessionId: id, name, mode: worker.mode, run, files: [] }),
    files: [],
    archive: join(deps.outputDirectory(id), String(run)),
    keepsOutput: runtime.attempt?.prompt.kind === "instruct",
  });
}
