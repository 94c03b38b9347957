import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setImmediate } from "node:timers/promises";
import { clip } from "./text.ts";

/** How much of a command's output is kept. The rest is read and dropped, so that the command never blocks on it. */
const outputMax = 64 * 1024;

export interface CommandResult {
  /** Its stdout and stderr, in order. */
  readonly output: string;
  readonly truncated: boolean;
  /** Its exit code; 128 + the number if a signal ended it, as shells report it. */
  readonly exitCode: number;
}

export interface CommandOptions {
  readonly cwd: string;
  /** Ends the command and everything in its process group. */
  readonly signal: AbortSignal;
  /** Called once when the command has actually started. */
  readonly onStarted: () => void;
}

/** Runs a command with /bin/sh. Rejects if it cannot be started, or if the signal ends it. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const { cwd, signal, onStarted } = options;
  signal.throwIfAborted();
  // A separate group, so that everything the shell started ends with it. One pipe for both outputs keeps their order.
  const child = spawn("/bin/sh", ["-c", 'exec /bin/sh -c "$0" 2>&1', command], {
    cwd,
    detached: true,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (child.pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  const group = -child.pid;
  const end = () => killGroup(group);
  signal.addEventListener("abort", end, { once: true });
  try {
    const collected = collectOutput(child.stdout);
    const exited = once(child, "exit");
    onStarted();
    const [code, endedBy] = (await exited) as [number | null, NodeJS.Signals | null];
    signal.throwIfAborted();
    await collected.settled();
    const exitCode = code ?? 128 + (endedBy ? constants.signals[endedBy] : 0);
    return { output: collected.text(), truncated: collected.truncated(), exitCode };
  } catch (error) {
    end();
    throw error;
  } finally {
    signal.removeEventListener("abort", end);
    // A background process may hold the pipe open forever; it no longer concerns us.
    child.stdout.destroy();
  }
}

function killGroup(group: number): void {
  try {
    process.kill(group, "SIGKILL");
  } catch {
    // Everything in it has already ended.
  }
}

interface Collected {
  text(): string;
  truncated(): boolean;
  /** Resolves when nothing written before the exit is still in the pipe. */
  settled(): Promise<void>;
}

function collectOutput(pipe: Readable): Collected {
  const decoder = new StringDecoder("utf8");
  let text = "";
  let truncated = false;
  let chunks = 0;
  let ended = false;
  const append = (piece: string) => {
    truncated ||= text.length + piece.length > outputMax;
    text = clip(text + piece, outputMax);
  };
  pipe.on("data", (chunk: Buffer) => {
    chunks += 1;
    if (!truncated) append(decoder.write(chunk));
  });
  pipe.once("end", () => {
    ended = true;
    append(decoder.end());
  });
  return {
    text: () => text,
    truncated: () => truncated,
    // The end may never come (a background process holds the pipe). But the kernel has all of it at exit, so one full
    // round of the event loop without a chunk means there is none left.
    settled: async () => {
      let seen = -1;
      while (!ended && seen !== chunks) {
        seen = chunks;
        await setImmediate();
        await setImmediate();
      }
    },
  };
}
