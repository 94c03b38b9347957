import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { parseDuration, parseTimeout } from "../config/units.ts";
import type { Cli } from "./cli.ts";
import { CliError, exit } from "./exit.ts";

/** What declared commands act on. */
export interface Actions {
  readonly cli: Cli;
  /** Makes an action of a command: what it resolves to is the program's exit code. */
  does<A extends unknown[]>(command: (...args: A) => Promise<number>): (...args: A) => Promise<void>;
}

/** For what changes the home directly: refused to a session's process, as the server refuses it what is a person's. */
export function forPeople({ cli, does }: Actions): Actions["does"] {
  return (command) =>
    does(async (...args) => {
      const session = cli.settings.session ?? (await sessionAbove(cli));
      if (session === undefined) return command(...args);
      const message = `This comes from a process of session ${session}. Only a person may do that.`;
      throw new CliError(exit.notAllowed, message, "Run it in a terminal of your own.");
    });
}

/** A session of this home that an ancestor belongs to: a process can drop its own mark, but not its ancestors'. */
async function sessionAbove({ settings: { home } }: Cli): Promise<string | undefined> {
  const { marksAbove } = await import("../process/marks.ts");
  const marks = await marksAbove(process.pid);
  return marks.find((mark) => existsSync(home.sessionDirectory(mark)));
}

export const serverOption = () =>
  new Option("--server <url>", "the server to use (default: the one that serves this home)");
export const jsonOption = (what = "print the answer as one JSON object") => new Option("--json", what);
/** --json of what is watched: every frame of a stream, and nothing else. */
export class FramesOption extends Option {
  constructor() {
    super("--json", "print every frame of the stream as one line of JSON");
  }
}
export const timeoutOption = () =>
  new Option("--timeout <time>", "give up waiting after this long, such as 30s or 10m (exit 124)").argParser(
    readTimeout,
  );

/** Examples teach more than descriptions do: every command has some. */
export function examples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

export function readInteger(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}

/** How old something is, in milliseconds. */
export function readAge(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === undefined) throw new InvalidArgumentError("It looks like 1h or 30d.");
  return milliseconds;
}

/** How long to wait, in milliseconds. */
function readTimeout(text: string): number {
  const milliseconds = parseTimeout(text);
  if (milliseconds === undefined) {
    throw new InvalidArgumentError("It looks like 250ms, 30s, 10m or 1h, and is 24d at most.");
  }
  return milliseconds;
}
