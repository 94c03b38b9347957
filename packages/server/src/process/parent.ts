import { closeSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openRegularSync } from "./regular-file.ts";
import type { Exit } from "./running-agent.ts";

/** Where the parent writes the agent's pid and, once the agent has ended, its exit code: one line each. */
export const STATUS_FILE = "status";
/** How often a new parent is polled for its agent's pid; it takes a millisecond or two. */
const PID_CHECK_MS = 1;

/** What a shell adds to the environment of its programs. */
const ADDED = ["PWD", "OLDPWD", "SHLVL"];

export interface Parented {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The FIFO that becomes the agent's input; without one the agent gets the parent's. */
  readonly fifo: string | undefined;
}

/**
 * The command line of a shell that runs the program as its child. Agents that watch their parent see one that outlives
 * the server, and the exit code, which the kernel reports only to the parent, is kept for the next server.
 *
 * The shell interprets nothing: the program and its arguments are positional parameters, the FIFO is `$0`. It traps the
 * signals that are sent to the whole group, so that it survives to write the exit code; an ignored signal would stay
 * ignored in the child, a trapped one is reset there. The child opens the FIFO itself: if the shell held it open too,
 * it would accept input that an agent without stdin can never read. The shell's messages about a killed child are
 * discarded.
 */
export function underParent({ file, args, env, fifo }: Parented): { file: string; args: string[] } {
  const added = ADDED.filter((name) => env[name] === undefined);
  const script = [
    "trap : TERM INT HUP",
    ...(added.length > 0 ? [`unset ${added.join(" ")}`] : []),
    "exec 4>&2 2>/dev/null",
    `(${[...(fifo === undefined ? [] : ['exec <>"$0"']), WRITE_PID, 'exec "$@" 2>&4 3>&- 4>&-'].join("\n")})`,
    "code=$?",
    'echo "$code" >&3',
    'exit "$code"',
  ].join("\n");
  return { file: "/bin/sh", args: ["-c", script, fifo ?? "sh", file, ...args] };
}

/** `$$` in a subshell is the shell's pid, not its own. Without /proc it takes another program to find it. */
const WRITE_PID = [
  "read -r DROVER_PID DROVER_STAT </proc/self/stat || DROVER_PID=$(exec /bin/sh -c 'echo \"$PPID\"')",
  'echo "$DROVER_PID" >&3',
  "unset DROVER_PID DROVER_STAT",
].join("\n");

/** The pid of a newly started agent; undefined if its parent ended without writing it. */
export async function startedPid(
  directory: string,
  isParentGone: () => boolean,
): Promise<number | undefined> {
  for (;;) {
    const isLast = isParentGone();
    const { pid } = readStatus(directory);
    if (pid !== undefined || isLast) return pid;
    await delay(PID_CHECK_MS);
  }
}

/** What the parent has written so far. */
export function readStatus(directory: string): { pid?: number; code?: number } {
  const written = readWritten(join(directory, STATUS_FILE));
  const [pid = Number.NaN, code = Number.NaN] = written.split("\n").map((line) => Number.parseInt(line, 10));
  return { ...(Number.isNaN(pid) ? {} : { pid }), ...(Number.isNaN(code) ? {} : { code }) };
}

/** Synchronous: it is a few bytes that were just written, and a new agent's pid is polled often. */
function readWritten(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openRegularSync(path);
    const bytes = Buffer.alloc(64);
    return bytes.toString("latin1", 0, readSync(descriptor, bytes));
  } catch {
    return "";
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** How a run ended whose parent is gone: as the parent wrote, else as `seen`, the parent's own exit. */
export function keptExit(directory: string, seen: Exit): Exit {
  const { code } = readStatus(directory);
  if (code === undefined) return seen;
  const signal = SIGNALS[code - 129];
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

/**
 * A shell reports a signal as 128 + its number. Only signals that end programs are recognized: larger numbers are exit
 * codes of some agents (gemini 0.61 ends with an HTTP status modulo 256, which matches none of these).
 */
const SIGNALS = [
  ...["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE"],
  ...["SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM"],
];
