import { constants, writeSync } from "node:fs";
import { join } from "node:path";
import { openBeneath } from "./beneath.ts";

export interface ActionLog extends Disposable {
  /** Appends the time and the instruction. Synchronous, so that nothing can come between an action and its line. */
  record(instruction: string): void;
}

/**
 * Opens `.drover/demo.log`, which has a line for every action that was performed. Opened before the action, so that
 * nothing is done that could not be recorded. In a person's home directory `.drover` is also Drover's own home, so it
 * is created for its owner alone. Throws like `openBeneath`.
 */
export function openActionLog(cwd: string): ActionLog {
  const { O_APPEND, O_CREAT, O_WRONLY } = constants;
  const place = { cwd, path: join(".drover", "demo.log") };
  const log = openBeneath(place, { flags: O_WRONLY | O_APPEND | O_CREAT, makeDirectories: 0o700 });
  return {
    record: (instruction) => void writeSync(log.fd, `${new Date().toISOString()} ${instruction}\n`),
    [Symbol.dispose]: () => log[Symbol.dispose](),
  };
}
