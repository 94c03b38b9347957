import { readCommandLines } from "@drover/core";
import { InvalidArgumentError } from "commander";

/** Splits a command line into words, as a shell would, and refuses what only a shell understands. */
export function readWords(text: string): string[] {
  const read = readCommandLines(text);
  if (!read.ok) throw new InvalidArgumentError(`Only a shell understands "${read.error}"; use sh -c '…'.`);
  const words = read.value.flat();
  if (words.length === 0) throw new InvalidArgumentError("It is empty; --no-setup removes all commands.");
  return words;
}
