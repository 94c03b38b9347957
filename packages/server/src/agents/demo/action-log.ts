import { constants, writeSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { openBeneath } from "./beneath.ts";

export interface ActionLog extends Disposable {
  /** Appends the time and the instruction. Synchronous, so that nothing can come between an action and its line. */
  record(instruction: string): void;
}

const { O_APPEND, O_CREAT, O_EXCL, O_WRONLY } = constants;

/**
 * Opens `.drover/demo.log`, which has a line for every action that was performed. Opened before the action, so that
 * nothing is done that could not be recorded. In a person's home directory `.drover` is also Drover's own home, so it
 * is created for its owner alone. Throws like `openBeneath`.
 */
export function openActionLog(cwd: string): ActionLog {
  if (cwd !== homedir()) hideFromGit(cwd);
  const place = { cwd, path: join(".drover", "demo.log") };
  const log = openBeneath(place, { flags: O_WRONLY | O_APPEND | O_CREAT, makeDirectories: 0o700 });
  return {
    record(instruction) {
      writeSync(log.fd, `${new Date().toISOString()} ${instruction.replaceAll("\n", "\\n")}\n`);
    },
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };
}

/** The log is no part of anyone's work: git ignores the whole directory. */
function hideFromGit(cwd: string): void {
  try {
    const place = { cwd, path: join(".drover", ".gitignore") };
    using file = openBeneath(place, { flags: O_WRONLY | O_CREAT | O_EXCL, makeDirectories: 0o700 });
    writeSync(file.fd, "*\n");
  } catch {
    // It exists, or opening the log fails for the same reason and reports it.
  }
}
