import type { Cli } from "./cli.ts";

/** One object per line on standard output: what --json prints. */
export function printJson(cli: Cli, value: unknown): void {
  cli.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Words for the person, who may be reading standard output elsewhere. */
export function say(cli: Cli, words: string): void {
  cli.stderr.write(`${words}\n`);
}
