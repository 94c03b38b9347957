import type { Cli } from "./cli.ts";
import type { Styled } from "./terminal/styled.ts";

/** One object per line on standard output: what --json prints. */
export function printJson(cli: Cli, value: unknown): void {
  cli.stdout.json(value);
}

/** Words for the person, who may be reading standard output elsewhere. */
export function say(cli: Cli, words: Styled): void {
  cli.stderr.line(words);
}
