import { type ChildProcess, spawn } from "node:child_process";

export interface GitRun {
  readonly cwd: string;
  /** What git is given of the environment, besides what this file sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the command and everything it started, at once. */
  readonly signal: AbortSignal;
  /** What it reads; nothing unless given. */
  readonly input?: string;
}

export interface GitResult {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly output: string;
}

/** A status line takes about 80 bytes: 200 000 changed files. */
const MAX_OUTPUT = 16 * 1024 * 1024;

/** A repository is someone else's work: nothing that its files or its settings name may run. */
const SAFE_OPTIONS = [
  "--no-pager",
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
] as const;
const SAFE_ENVIRONMENT = {
  // Reading must not take the lock that a person's or an agent's own git needs.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone fetches what it lacks, by a command of its own settings (core.sshCommand) if they say so.
  // Old versions do not know the first (2.39.5 does); the second allows a protocol that does not exist, and no other.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // The header of a status is translated.
  LC_ALL: "C",
} as const;

/**
 * Runs git, with its messages thrown away. Rejects when it cannot start, writes too much, is ended by `run.signal`;
 * any other end is a result. Never waits for a process that does not die: an abort rejects at once.
 */
export function runGit(args: readonly string[], run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = start(args, run);
    const chunks: Buffer[] = [];
    let size = 0;

    const giveUp = (reason: unknown) => {
      run.signal.removeEventListener("abort", onAbort);
      end(child);
      reject(reason);
    };
    const onAbort = () => giveUp(run.signal.reason);
    child.on("error", giveUp);
    run.signal.addEventListener("abort", onAbort, { once: true });

    // Missing, whatever its type says, when this process was out of descriptors; the error comes a tick later.
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) giveUp(new Error(`git wrote more than ${MAX_OUTPUT} bytes`));
      else chunks.push(chunk);
    });
    child.on("close", (code) => {
      run.signal.removeEventListener("abort", onAbort);
      resolve({ code, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

/**
 * What git writes, piece by piece and no faster than it is read. Returns its exit code; throws when it cannot start
 * or is ended by `run.signal`. Whoever stops reading ends the command.
 */
export async function* streamGit(
  args: readonly string[],
  run: GitRun,
): AsyncGenerator<Buffer, number | null, undefined> {
  const child = start(args, run);
  const closed = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  closed.catch(() => undefined);
  const onAbort = () => {
    child.stdout?.destroy(run.signal.reason as Error);
    end(child);
  };
  run.signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (child.stdout) yield* child.stdout;
    return await closed;
  } finally {
    run.signal.removeEventListener("abort", onAbort);
    end(child);
  }
}

function start(args: readonly string[], run: GitRun): ChildProcess {
  run.signal.throwIfAborted();
  // git itself changes directory: a spawn with `cwd` blocks this whole process while a dead network drive answers,
  // and a relative entry of PATH would find programs in the repository. Detached: a group that can be ended as one.
  const child = spawn("git", [...SAFE_OPTIONS, "-C", run.cwd, ...args], {
    cwd: "/",
    env: { ...run.environment, ...SAFE_ENVIRONMENT },
    detached: true,
    stdio: [run.input === undefined ? "ignore" : "pipe", "pipe", "ignore"],
  });
  // One that ends without having read everything tells so by its exit code.
  child.stdin?.on("error", () => undefined).end(run.input);
  return child;
}

/** Ends the command and everything it started, if it still runs. */
function end(child: ChildProcess): void {
  child.stdout?.destroy();
  // Until Node has seen it end, its pid is its own.
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (isRunning) killGroup(child.pid);
  child.unref();
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It ended in this very moment.
  }
}
