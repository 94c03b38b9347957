import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration, parseTimeout } from "../config/units.ts";
import type { Cli } from "./cli.ts";
import { CliError, exit } from "./exit.ts";

/** What declared commands need to run. */
export interface Actions {
  readonly cli: Cli;
  /** Turns a command into a commander action. The number it resolves to becomes the exit code. */
  does<A extends unknown[]>(command: (...args: A) => Promise<number>): (...args: A) => Promise<void>;
}

/** For commands that change the home without a server. Like the server, they refuse an agent what only people may do. */
export function forPeople({ cli, does }: Actions): Actions["does"] {
  return (command) =>
    does(async (...args) => {
      const session = cli.settings.session ?? (await sessionAbove(cli));
      if (session === undefined) return command(...args);
      const message = `This command was run by an agent of session ${session}. Only a person may run it.`;
      throw new CliError(exit.notAllowed, message, "Run it in a terminal of your own.");
    });
}

/** The session of this home that an ancestor process belongs to. A process can drop its own mark, but not its ancestors'. */
async function sessionAbove({ settings: { home } }: Cli): Promise<string | undefined> {
  const { marksAbove } = await import("../process/marks.ts");
  const marks = await marksAbove(process.pid);
  return marks.find((mark) => existsSync(home.sessionDirectory(mark)));
}

/** The `<session>` argument. */
export const sessionArgument = ["<session>", "Name, id or start of the id"] as const;

/** The `<worker>` argument. */
export const workerArgument = ["<worker>", "Name, id or start of the id"] as const;

export const serverOption = () =>
  new Option("--server <url>", "Use this server (default: the server of this home)");
export const jsonOption = (description = "Print the answer as one JSON object") =>
  new Option("--json", description);
/** --json of commands that stream: prints every frame and nothing else. */
export class FramesOption extends Option {
  constructor(description = "Print every frame of the stream as one line of JSON") {
    super("--json", description);
  }
}
export const timeoutOption = () =>
  new Option(
    "--timeout <time>",
    "Stop waiting after this time, such as 30s or 10m (exit code 124)",
  ).argParser(readTimeout);

/** An option with a fixed set of values. `unlisted` values are passed on for the server to refuse, and not in the help. */
export function choiceOption(
  [flags, description]: readonly [string, string],
  listed: readonly string[],
  unlisted: readonly string[] = [],
): Option {
  return new Option(flags, description).choices(listed).argParser((value: string) => {
    if (listed.includes(value) || unlisted.includes(value)) return value;
    throw new InvalidArgumentError(`Allowed choices are ${listed.join(", ")}.`);
  });
}

/** Adds examples to a command's help. Every command has some. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

/** An option with several values of a fixed set, with commas between them. */
export function choicesOption(
  [flags, description]: readonly [string, string],
  listed: readonly string[],
): Option {
  return new Option(flags, `${description} (${listed.join(", ")})`).argParser((text: string) => {
    if (text.split(",").every((value) => listed.includes(value))) return text;
    throw new InvalidArgumentError(`Allowed choices are ${listed.join(", ")}.`);
  });
}

export function readInteger(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Use a whole number.");
  return Number(text);
}

/** How many of something are started at once. */
export function readCount(text: string): number {
  const number = readInteger(text);
  if (number >= 1 && number <= maxCount) return number;
  throw new InvalidArgumentError(`Use a number from 1 to ${maxCount}.`);
}

const maxCount = 20;

/** An age in milliseconds. */
export function readAge(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new InvalidArgumentError("Use a time such as 1h or 30d.");
  return milliseconds;
}

/** A timeout in milliseconds. */
function readTimeout(text: string): number {
  const milliseconds = parseTimeout(text);
  if (milliseconds === undefined) {
    throw new InvalidArgumentError("Use a time such as 250ms, 30s, 10m or 1h, at most 24d.");
  }
  return milliseconds;
}
