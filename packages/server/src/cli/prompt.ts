import type { Cli } from "./cli.ts";
import { CliError, exit } from "./exit.ts";

/** Reads the prompt from the command line, or from standard input if the words are `-` or missing. */
export async function readPrompt(cli: Cli, words: readonly string[], usage: string): Promise<string> {
  const isFromInput = words.length === 1 && words[0] === "-";
  if (words.length > 0 && !isFromInput) return notEmpty(words.join(" "), usage);
  if (cli.stdin.isTTY && !isFromInput) throw noPrompt(usage);
  const chunks: Buffer[] = [];
  for await (const chunk of cli.stdin) chunks.push(Buffer.from(chunk));
  return notEmpty(Buffer.concat(chunks).toString("utf8"), usage);
}

function notEmpty(text: string, usage: string): string {
  if (text.trim() === "") throw noPrompt(usage);
  return text;
}

const noPrompt = (usage: string) => new CliError(exit.usage, "The prompt is missing.", `Example: ${usage}`);
