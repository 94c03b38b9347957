import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RawLogs } from "../ports.ts";
import { FILES } from "./running-agent.ts";

const fileOf = { stdout: FILES.output, stderr: FILES.errors } as const;

interface Spool {
  readonly path: string;
  readonly bytes: number;
}

/** Raw logs as left by agents' processes: a spool in the directory of each run. */
export function spooledLogs(runDirectory: (sessionId: string, run: number) => string): RawLogs {
  return {
    async open(sessionId, { stream, run }) {
      const names = await readdir(dirname(runDirectory(sessionId, 0))).catch(() => []);
      const runs = names.map(Number).filter((n) => Number.isInteger(n) && (run === undefined || n === run));
      const spools: Spool[] = [];
      for (const n of runs.sort((a, b) => a - b)) {
        const path = join(runDirectory(sessionId, n), fileOf[stream]);
        const found = await stat(path).catch(() => undefined);
        if (found) spools.push({ path, bytes: found.size });
      }
      const bytes = spools.reduce((sum, spool) => sum + spool.bytes, 0);
      return { bytes, read: (from) => joined(spools, from) };
    },
  };
}

async function* joined(spools: readonly Spool[], from: number): AsyncGenerator<Uint8Array> {
  let skip = from;
  for (const { path, bytes } of spools) {
    if (skip < bytes) yield* createReadStream(path, { start: skip, end: bytes - 1 });
    skip = Math.max(0, skip - bytes);
  }
}
