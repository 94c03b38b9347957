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
  /** What it wrote to stdout and stderr, in its order. */
  readonly output: string;
  readonly truncated: boolean;
  /** Its exit code; 128 + the number when a signal ended it, as shells count. */
  readonly exitCode: number;
}

export interface CommandOptions {
  readonly cwd: string;
  /** Ends the command and everything it started in its process group. */
  readonly signal: AbortSignal;
  /** Called once when the command has really been started. */
  readonly onStarted: () => void;
}

/** Runs a command with /bin/sh. Rejects when it cannot be started, or when the signal ends it. */
export async function runCommand(command: string, options: CommandOptions): Promise<CommandResult> {
  const { cwd, signal, onStarted } = options;
  signal.throwIfAborted();
  // A group of its own, so that what the shell started ends with it. One pipe for both outputs keeps their order.
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
    // A process it left in the background may hold the pipe open for ever; it is nothing to us any more.
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
  /** Resolves when nothing that was written before the exit is still in the pipe. */
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
    // The end may never come (a background process holds the pipe). But the kernel has all of it at exit, so one whole
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
