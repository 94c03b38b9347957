import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../test/kit/until.ts";
import type { BurstReport } from "../agents/burst.ts";

export type { BurstOrder, BurstReport } from "../agents/burst.ts";

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The command line of `agents/burst.ts`, for a pipe and for `drover.yaml`. */
export const burstProgram = {
  command: process.execPath,
  args: [join(import.meta.dirname, "..", "agents", "burst.ts")],
};

/** An agent on the other end of two pipes, as any ACP client would run it. */
export function spawnAgent({ command, args }: Program) {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    async [Symbol.asyncDispose]() {
      const exited = once(child, "exit");
      child.stdin.end();
      await exited;
    },
  };
}

/** The agent's report of what it wrote; it appears a moment after its answer. */
export async function reportAt(path: string): Promise<BurstReport> {
  const options = { deadline: 60_000, what: `the agent's report in ${path}` };
  return JSON.parse(await until(() => readFile(path, "utf8"), options)) as BurstReport;
}
