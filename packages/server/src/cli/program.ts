import { Command, CommanderError } from "commander";
import type { Cli, Host } from "./cli.ts";
import { type Actions, FramesOption } from "./declare.ts";
import { declareConversationCommands } from "./declare-conversations.ts";
import { declareHomeCommands } from "./declare-home.ts";
import { declareInteractionCommands } from "./declare-interactions.ts";
import { declareLoginCommands } from "./declare-logins.ts";
import { declareSessionCommands } from "./declare-sessions.ts";
import { CliError, type ExitCode, exit, RejectedError } from "./exit.ts";
import { printJson } from "./print.ts";
import { Writer } from "./terminal/writer.ts";
import { oneLine } from "./view/text.ts";

const introduction = `Runs AI coding agents: any vendor, nothing lost, one inbox.

Without a command: starts the server when none is running and prints the link to its page (--json: as JSON).`;

const tour = `
A first tour:
  drover run demo tour                 an agent that needs no model and no account
  drover ls                            what is there, and what needs you
  drover attach NAME                   look at it live, talk to it, answer it
  drover permit                        everything that waits for your decision
  drover COMMAND --help                what a command does, with examples

Exit codes: 0 done · 1 failed · 2 usage or configuration · 3 no server · 4 a person is needed · 5 not found
            6 conflict · 7 not allowed · 124 --timeout · 130 interrupted`;

/**
 * Runs one command line to its exit code. Commands are loaded when they are used: `serve` and `--help` load none.
 * Never throws for what a person can do wrong; says it on standard error.
 */
export async function runCli(args: readonly string[], host: Host): Promise<number> {
  const stdout = new Writer(host.stdout, host.settings);
  const stderr = new Writer(host.stderr, host.settings);
  const cli: Cli = { ...host, stdout, stderr };
  let code: number = exit.done;
  const actions: Actions = {
    cli,
    does:
      (command) =>
      async (...given) => {
        try {
          code = await command(...given);
        } catch (error) {
          if (error instanceof RejectedError && wantsObject(given)) printJson(cli, error.answer);
          throw error;
        }
      },
  };
  try {
    const isAlone = args.every((arg) => arg === "--json");
    if (isAlone) return await (await import("./commands/open.ts")).openPage(cli, { json: args.length > 0 });
    await declare(actions).parseAsync([...args], { from: "user" });
    return code;
  } catch (error) {
    return report(cli, error);
  }
}

function declare(actions: Actions): Command {
  const { cli } = actions;
  const program = new Command("drover")
    .description(introduction)
    .version(cli.settings.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    // An option belongs to the command it stands behind: `agents add NAME --json` is not `agents --json`.
    .enablePositionalOptions()
    .helpCommand("help [command]", "show help")
    .configureOutput({
      writeOut: (text) => cli.stdout.paragraph(text),
      writeErr: (text) => cli.stderr.paragraph(text),
      getOutHelpWidth: () => Math.min(cli.stdout.columns(110), 110),
      getErrHelpWidth: () => Math.min(cli.stderr.columns(110), 110),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showSuggestionAfterError()
    .showHelpAfterError("`drover --help` lists the commands; `drover COMMAND --help` explains one.")
    .addHelpText("after", tour)
    .exitOverride();
  declareSessionCommands(program, actions);
  declareConversationCommands(program, actions);
  declareInteractionCommands(program, actions);
  declareLoginCommands(program, actions);
  declareHomeCommands(program, actions);
  return program;
}

/** Whether --json asked for the HTTP answer, which a refusal is, too; not for frames. */
function wantsObject(given: readonly unknown[]): boolean {
  const command = given.at(-1);
  if (!(command instanceof Command)) return false;
  const { json, follow, wait } = command.opts<{ json?: boolean; follow?: boolean; wait?: boolean }>();
  const option = command.options.find(({ long }) => long === "--json");
  return json === true && !(option instanceof FramesOption) && !follow && !wait;
}

/** What went wrong, for the person, and the code for the script. */
function report(cli: Cli, error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage;
  if (error instanceof CliError) {
    // A server's message must not imitate several; our own may have several lines, such as all errors in a file.
    cli.stderr.paragraph(error instanceof RejectedError ? oneLine(error.message) : error.message);
    if (error.next) cli.stderr.line(error.next);
    return error.exit;
  }
  return showBug(cli.stderr, error);
}

/** For uncaught errors: Node would print them unfiltered, and messages can contain text of a server or an agent. */
export const reportBug = ({ stderr, settings }: Host, error: unknown): ExitCode =>
  showBug(new Writer(stderr, settings), error);

function showBug(stderr: Writer, error: unknown): ExitCode {
  stderr.paragraph(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exit.failed;
}
