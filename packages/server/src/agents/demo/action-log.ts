import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * Appends one line to `.drover/demo.log` for an action that was really done: the time, then the instruction. Synchronous,
 * so that nothing can come between the action and its line. In a person's home directory `.drover` is also Drover's own
 * home: whoever makes it first keeps others out.
 */
export function recordAction(cwd: string, instruction: string): void {
  const directory = join(cwd, ".drover");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  appendFileSync(join(directory, "demo.log"), `${new Date().toISOString()} ${instruction}\n`);
}
