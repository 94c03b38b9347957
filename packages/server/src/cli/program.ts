import { Command, CommanderError } from "commander";
import type { Cli, Host } from "./cli.ts";
import { type Actions, FramesOption } from "./declare.ts";
import { declareAccountCommands } from "./declare-accounts.ts";
import { declareControlCommands } from "./declare-controls.ts";
import { declareConversationCommands } from "./declare-conversations.ts";
import { declareServerCommands, declareSetupCommands } from "./declare-home.ts";
import { declareInteractionCommands } from "./declare-interactions.ts";
import { declareLoginCommands } from "./declare-logins.ts";
import { declareProjectCommands } from "./declare-projects.ts";
import { declareReadingCommands } from "./declare-reading.ts";
import { declareReviewCommands } from "./declare-reviews.ts";
import { declareSessionCommands } from "./declare-sessions.ts";
import { declareWorkerCommands } from "./declare-workers.ts";
import { declareWorkspaceCommands } from "./declare-workspaces.ts";
import { answeredBy, answerFault, CliError, type ExitCode, exit, RejectedError } from "./exit.ts";
import { printJson } from "./print.ts";
import { Writer } from "./terminal/writer.ts";
import { oneLine } from "./view/text.ts";

const introduction = `Run AI coding agents: any vendor, nothing lost, one inbox.

Without a command, drover starts the server if none is running and prints a login link (--json: as JSON).`;

const guide = `
Examples:
  drover run demo tour                 Try an agent that needs no model and no account
  drover ls                            See all sessions and which of them need you
  drover attach NAME                   Watch a session, send messages, answer it
  drover permit                        See everything that needs your decision

Run \`drover COMMAND --help\` for the options and examples of a command.

Exit codes: 0 done · 1 failed · 2 usage or configuration · 3 no server · 4 a person is needed · 5 not found
            6 conflict · 7 not allowed · 124 --timeout · 130 interrupted`;

/**
 * Runs one command line and returns its exit code. A command's code is loaded when it is used; `serve` and `--help`
 * load none. User errors are printed to standard error, not thrown.
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
      async (...args) => {
        try {
          code = await command(...args);
        } catch (error) {
          if (error instanceof RejectedError && wantsObject(args)) printJson(cli, error.answer);
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
  } finally {
    await Promise.all([stdout.flush(), stderr.flush()]);
  }
}

function declare(actions: Actions): Command {
  const { cli } = actions;
  const program = new Command("drover")
    .description(introduction)
    .version(cli.settings.version, "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    // Options belong to the command before them: `agents add NAME --json` is not `agents --json`.
    .enablePositionalOptions()
    .addHelpCommand(helpCommand())
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: (text) => cli.stdout.paragraph(text),
      writeErr: (text) => cli.stderr.paragraph(text),
      getOutHelpWidth: () => Math.min(cli.stdout.columns(110), 110),
      getErrHelpWidth: () => Math.min(cli.stderr.columns(110), 110),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .showSuggestionAfterError()
    .showHelpAfterError(
      "Run `drover --help` for a list of commands, or `drover COMMAND --help` for one of them.",
    )
    .addHelpText("after", guide)
    .exitOverride();
  program.commandsGroup("Sessions:");
  declareSessionCommands(program, actions);
  declareReadingCommands(program, actions);
  declareControlCommands(program, actions);
  declareReviewCommands(program, actions);
  declareWorkerCommands(program, actions);
  declareWorkspaceCommands(program, actions);
  declareConversationCommands(program, actions);
  program.commandsGroup("Approvals and questions:");
  declareInteractionCommands(program, actions);
  program.commandsGroup("Server:");
  declareServerCommands(program, actions);
  declareLoginCommands(program, actions);
  program.commandsGroup("Setup:");
  declareSetupCommands(program, actions);
  declareAccountCommands(program, actions);
  declareProjectCommands(program, actions);
  return program;
}

const helpCommand = (): Command =>
  new Command("help")
    .helpOption(false)
    .helpGroup("Setup:")
    .argument("[command]")
    .description("Show help for a command");

/** Whether --json asked for the server's answer as an object, not for frames. A refusal is such an answer, too. */
function wantsObject(args: readonly unknown[]): boolean {
  const command = args.at(-1);
  if (!(command instanceof Command)) return false;
  const { json, follow, wait } = command.opts<{ json?: boolean; follow?: boolean; wait?: boolean }>();
  const option = command.options.find(({ long }) => long === "--json");
  // `--no-wait` makes `wait` true by default, and changes nothing about the answer.
  const isWatching = wait && command.options.some(({ long }) => long === "--wait");
  return json === true && !(option instanceof FramesOption) && !follow && !isWatching;
}

/** Prints an error for people and returns the exit code for scripts. */
function report(cli: Cli, thrown: unknown): ExitCode {
  const url = answeredBy.get(cli);
  const error = (url !== undefined && answerFault(thrown, url)) || thrown;
  if (error instanceof CommanderError) return error.exitCode === 0 ? exit.done : exit.usage;
  if (error instanceof CliError) {
    // A server's message must not look like several. Our own may have several lines, such as all errors in a file.
    cli.stderr.paragraph(error instanceof RejectedError ? oneLine(error.message) : error.message);
    if (error.next) cli.stderr.line(error.next);
    return error.exit;
  }
  return showBug(cli.stderr, error);
}

/** For uncaught errors. Node would print them unfiltered, and they may contain text from a server or an agent. */
export const reportBug = ({ stderr, settings }: Host, error: unknown): ExitCode =>
  showBug(new Writer(stderr, settings), error);

function showBug(stderr: Writer, error: unknown): ExitCode {
  stderr.paragraph(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return exit.failed;
}
