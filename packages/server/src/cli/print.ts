import type { Cli } from "./cli.ts";
import type { Styled } from "./terminal/styled.ts";

/** Prints one object as a line of JSON to standard output, for --json. */
export function printJson(cli: Cli, value: unknown): void {
  cli.stdout.json(value);
}

/** Prints a line for people. It goes to standard error, because standard output may be piped. */
export function say(cli: Cli, words: Styled): void {
  cli.stderr.line(words);
}
