import { constants, mkdirSync, writeSync } from "node:fs";
import { openBeneath } from "./beneath.ts";
import { stateDirectory } from "./state-directory.ts";

export interface ActionLog extends Disposable {
  /** Appends the time and the instruction. Synchronous, so that nothing can come between an action and its line. */
  record(instruction: string): void;
}

/**
 * Opens the log that has a line for every action that was performed. Opened before the action, so that nothing is done
 * that could not be recorded. Throws like `openBeneath`.
 */
export function openActionLog(): ActionLog {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const cwd = stateDirectory();
  mkdirSync(cwd, { recursive: true, mode: 0o700 });
  const log = openBeneath({ cwd, path: "actions.log" }, { flags: O_WRONLY | O_APPEND | O_CREAT });
  return {
    record: (instruction) => void writeSync(log.fd, `${new Date().toISOString()} ${instruction}\n`),
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };
}
