import { join } from "node:path";
import { readRegular } from "./regular-file.ts";
import type { Exit } from "./running-agent.ts";

/** Where a run of one prompt leaves its exit code. */
export const EXIT_FILE = "exit";

/**
 * The kernel tells an exit code to the parent alone, and the parent may be a server that is gone. A shell in between
 * writes it to descriptor 3. It interprets nothing: the program and its arguments are its positional parameters, and
 * the variables it would add are taken away again. Its own remark on a program that was killed goes nowhere: what is
 * stored is what the program wrote.
 */
const SCRIPT =
  'unset PWD OLDPWD SHLVL; exec 4>&2 2>/dev/null; (exec "$@" 2>&4 3>&- 4>&-); code=$?; echo "$code" >&3; exit "$code"';

export const keepingExit = (file: string, args: readonly string[]): { file: string; args: string[] } => ({
  file: "/bin/sh",
  args: ["-c", SCRIPT, "sh", file, ...args],
});

/** How a run ended whose process is gone: as it wrote down, else as `seen`, which the shell's own end may be. */
export async function keptExit(directory: string, seen: Exit): Promise<Exit> {
  const written = await readRegular(join(directory, EXIT_FILE), 1024).catch(() => "");
  const code = Number.parseInt(written, 10);
  if (Number.isNaN(code)) return seen;
  const signal = SIGNALS[code - 129];
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

/**
 * A shell tells a signal as 128 + its number. Only those that end programs are taken for one: larger numbers are exit
 * codes of some agents (gemini 0.61 ends with an HTTP status modulo 256, which none of these is).
 */
const SIGNALS = [
  ...["SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE"],
  ...["SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM"],
];
