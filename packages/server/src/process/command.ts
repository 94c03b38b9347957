import { once } from "node:events";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { CommandEnd, SessionCommand } from "../ports.ts";
import { type AgentProcess, type Exit, SpawnError, startAgentProcess } from "./agent-process.ts";
import { FILES } from "./running-agent.ts";
import { tailOf } from "./tail.ts";

/**
 * Runs a program to its end, as agents are run: in its own process group, with its output in files. Background
 * processes of a program that succeeded keep running, such as a database for tests.
 */
export async function runCommand(command: SessionCommand): Promise<CommandEnd> {
  const { argv, cwd, env, directory, signal } = command;
  const [program = "", ...args] = argv;
  // What an earlier run has left there would count as this one's.
  await rm(directory, { recursive: true, force: true });
  let running: AgentProcess;
  try {
    running = await startAgentProcess({
      ...{ command: program, args, cwd, env, directory },
      input: { file: "/dev/null" },
    });
  } catch (error) {
    if (!(error instanceof SpawnError)) throw error;
    return { exit: null, reason: error.message, tail: "" };
  }
  const deadline = AbortSignal.timeout(command.timeoutMs);
  let ended: Exit | undefined;
  try {
    await command.started({ ...running.identity, position: 0, ready: false });
    ended = await Promise.race([running.exited, aborted(AbortSignal.any([signal, deadline]))]);
  } finally {
    if (ended?.code !== 0) await running.stop({ mark: command.sessionId, grace: command.stopGraceMs });
    running.detach();
  }
  return { ...endOf(ended, command, deadline), tail: await tail(directory) };
}

function endOf(
  ended: Exit | undefined,
  { timeoutMs, signal }: SessionCommand,
  deadline: AbortSignal,
): Omit<CommandEnd, "tail"> {
  if (ended && ended.code !== null) return { exit: ended.code };
  if (ended) return { exit: null, reason: `It was ended by ${ended.signal ?? "something else"}` };
  const isLate = deadline.aborted && !signal.aborted;
  return { exit: null, reason: isLate ? `It took longer than ${timeoutMs / 1000} s` : "It was stopped" };
}

async function aborted(signal: AbortSignal): Promise<undefined> {
  if (!signal.aborted) await once(signal, "abort");
}

const TAIL_BYTES = 2048;

/** The end of both streams: programs report errors on either. */
async function tail(directory: string): Promise<string> {
  const ends = await Promise.all(
    [FILES.output, FILES.errors].map((file) => tailOf(join(directory, file), TAIL_BYTES)),
  );
  return ends
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join("\n");
}
