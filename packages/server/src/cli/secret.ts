import { Keyboard } from "./ask/keyboard.ts";
import { LineEditor } from "./ask/line-editor.ts";
import type { Cli } from "./cli.ts";
import { CliError, exit } from "./exit.ts";
import { say } from "./print.ts";

/** Reads a secret from standard input; on a terminal, from a person, without showing it. `what` names it. */
export async function readSecret(cli: Cli, what: string): Promise<string> {
  const text = cli.stdin.isTTY ? await typeHidden(cli, what) : await readAll(cli);
  if (text.trim() !== "") return text.trim();
  throw new CliError(
    exit.usage,
    `The ${what} is missing.`,
    "Write it to standard input, or type it on a terminal.",
  );
}

async function readAll(cli: Cli): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of cli.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function typeHidden(cli: Cli, what: string): Promise<string> {
  say(cli, `Type or paste the ${what}, then press Enter. It is not shown.`);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const editor = new LineEditor();
  using keyboard = new Keyboard(cli);
  using _listening = keyboard.listen((key) => {
    const step = editor.take(key);
    if (step.type === "entered") resolve(step.text);
    if (step.type === "abandoned") reject(new CliError(exit.interrupted, "Nothing was added."));
  });
  return await promise;
}

/** Asks a person on a terminal; false without one. */
export async function confirm(cli: Cli, question: string): Promise<boolean> {
  if (!cli.stdin.isTTY) return false;
  say(cli, `${question} (y/n)`);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  using keyboard = new Keyboard(cli);
  using _listening = keyboard.listen((key) => resolve(key.type === "text" && key.text.toLowerCase() === "y"));
  return await promise;
}
