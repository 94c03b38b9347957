import { isUtf8 } from "node:buffer";
import { type ChildProcess, spawn } from "node:child_process";

export interface GitRun {
  readonly cwd: string;
  /** The environment git gets, besides what this file sets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Immediately ends the command and everything it started. */
  readonly signal: AbortSignal;
  /** Nothing else uses the index: a command that reads it may also refresh it. */
  readonly ownsIndex?: boolean;
  /** The protocols it may use, with `:` between them; none if omitted. */
  readonly protocols?: string;
}

export interface GitCommand {
  readonly args: readonly string[];
  /** Appended after `--`; any bytes. */
  readonly paths?: readonly Buffer[];
  /** Standard input; cannot be combined with paths that are not UTF-8. */
  readonly input?: Buffer;
}

export interface GitResult {
  /** Null if a signal ended it. */
  readonly code: number | null;
  readonly output: Buffer;
  /** The beginning of its messages. */
  readonly messages: string;
}

export type GitOutput = AsyncGenerator<Buffer, number | null, undefined>;

/** A status line takes about 80 bytes: 200 000 changed files. */
const MAX_OUTPUT = 16 * 1024 * 1024;

const MAX_MESSAGES = 4096;

/** A repository is untrusted: nothing that its files or settings name may run. */
const SAFE_OPTIONS = [
  "--no-pager",
  "--literal-pathspecs",
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.hooksPath=/dev/null"],
] as const;
const SAFE_ENVIRONMENT = {
  // Reading must not take the lock that a person's or an agent's own git needs.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A partial clone fetches missing objects, by a command from its own settings (core.sshCommand) if they say so.
  // Old versions do not know the first (2.39.5 does); the second allows a protocol that does not exist, and no other.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
  // refs/replace would substitute another file for the committed one.
  GIT_NO_REPLACE_OBJECTS: "1",
  // git translates some of its output.
  LC_ALL: "C",
} as const;

/**
 * Runs git. Rejects if git cannot start, writes too much or is ended by `run.signal`; any
 * other exit is a result. An abort rejects immediately, without waiting for a process that does not die.
 *
 * For this folder only: everything else goes through `openRepository`, which also ignores the repository's settings.
 */
export function runGit(command: GitCommand, run: GitRun): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = start(command, run);
    const chunks: Buffer[] = [];
    let size = 0;
    let messages = "";

    const giveUp = (reason: unknown) => {
      run.signal.removeEventListener("abort", onAbort);
      end(child);
      reject(reason);
    };
    const onAbort = () => giveUp(run.signal.reason);
    child.on("error", giveUp);
    run.signal.addEventListener("abort", onAbort, { once: true });

    // Missing, despite its type, if this process is out of descriptors; the error comes a tick later.
    child.stdout?.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT) giveUp(new Error(`git wrote more than ${MAX_OUTPUT} bytes`));
      else chunks.push(chunk);
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      if (messages.length < MAX_MESSAGES) messages += text.slice(0, MAX_MESSAGES - messages.length);
    });
    child.on("close", (code) => {
      run.signal.removeEventListener("abort", onAbort);
      resolve({ code, output: Buffer.concat(chunks), messages });
    });
  });
}

/**
 * Git's output, chunk by chunk and no faster than it is read. Returns the exit code; throws if git cannot start or is
 * ended by `run.signal`. A reader that stops early ends the command.
 */
export async function* streamGit(command: GitCommand, run: GitRun): GitOutput {
  const child = start(command, run);
  child.stderr?.resume();
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

function start(command: GitCommand, run: GitRun): ChildProcess {
  run.signal.throwIfAborted();
  const { file, args, input } = invocation(command, run.cwd);
  const child = spawn(file, args, {
    // git itself changes directory: a spawn with `cwd` blocks this whole process while a dead network drive answers,
    // and a relative entry of PATH would find programs in the repository.
    cwd: "/",
    env: {
      ...{ ...run.environment, ...SAFE_ENVIRONMENT },
      ...(run.ownsIndex ? { GIT_OPTIONAL_LOCKS: "1" } : {}),
      ...(run.protocols === undefined ? {} : { GIT_ALLOW_PROTOCOL: run.protocols }),
    },
    // A separate process group, which can be ended as one.
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  // A command that exits before reading all of its input reports that with its exit code.
  child.stdin?.on("error", () => undefined).end(input);
  return child;
}

/** Node passes arguments only as UTF-8. Other names go through xargs, which passes any bytes. */
function invocation({ args, paths = [], input }: GitCommand, cwd: string) {
  const own = [...SAFE_OPTIONS, "-C", cwd, ...args, ...(paths.length > 0 ? ["--"] : [])];
  if (paths.every((path) => isUtf8(path)))
    return { file: "git", args: [...own, ...paths.map(String)], input };
  const list = Buffer.concat(paths.map((path) => Buffer.concat([path, Buffer.from("\0")])));
  return { file: "xargs", args: ["-0", "git", ...own], input: list };
}

/** Ends the command and everything it started, if it is still running. */
function end(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  // Until Node has seen it end, its pid is not reused.
  const isRunning = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  if (isRunning) killGroup(child.pid);
  child.unref();
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // It ended just now.
  }
}
