import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type AgentProcess, type Pressure, startAgentProcess } from "../../src/process/agent-process.ts";
import { identify, type ProcessIdentity } from "../../src/process/identity.ts";
import type { Line } from "../../src/process/lines.ts";

export const AGENTS = join(import.meta.dirname, "../../../../test/agents");

/** What a program needs to be found; tests add everything else. */
export const baseEnvironment = (directory: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  // Below the test's directory, so that the leak check finds what a test forgets.
  HOME: directory,
});

/** A session id that is unique on this machine, so that every process with it may be ended. */
export const uniqueMark = (): string => `ses_${randomUUID()}`;

/** The default mark of processes that a test starts. */
export const MARK = uniqueMark();

export interface Run {
  readonly directory: string;
  readonly args: readonly string[];
  readonly command?: string;
  readonly mark?: string;
  readonly pressure?: Pressure;
}

/** The letter proc(5) gives a process's state; `T` is stopped. */
export function stateOf({ pid }: ProcessIdentity): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).charAt(0);
}

/** Starts a Node program (or `command`) as a conversation in `directory`/run. */
export async function startRun({ directory, args, pressure, ...run }: Run): Promise<AgentProcess> {
  await mkdir(directory, { recursive: true });
  return startAgentProcess({
    command: run.command ?? process.execPath,
    args,
    cwd: directory,
    env: { ...baseEnvironment(directory), DROVER_SESSION: run.mark ?? MARK },
    directory: join(directory, "run"),
    input: "fifo",
    pressure,
  });
}

/** Collects all lines of a process in the list it returns. */
export function collect(agent: AgentProcess, from = 0): Line[] {
  const lines: Line[] = [];
  agent.lines((batch) => void lines.push(...batch), from);
  return lines;
}

export function textOf(lines: readonly Line[]): string[] {
  return lines.map((line) => (line.kind === "skipped" ? `skipped ${line.length}` : line.text));
}

/** A process that is not an agent. */
export async function bystander(): Promise<{ identity: ProcessIdentity } & AsyncDisposable> {
  const child = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
  await once(child, "spawn");
  const identity = identify(child.pid ?? -1);
  if (identity === undefined) throw new Error("The bystander did not start");
  return {
    identity,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
