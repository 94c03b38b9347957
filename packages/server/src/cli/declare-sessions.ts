import { type Command, Option } from "commander";
import { permissionModes, reviewStates, sessionStates } from "./choices.ts";
import type { LsOptions } from "./commands/ls.ts";
import type { RunOptions } from "./commands/run.ts";
import type { SendOptions } from "./commands/send.ts";
import {
  type Actions,
  choiceOption,
  choicesOption,
  examples,
  FramesOption,
  jsonOption,
  readInteger,
  serverOption,
  sessionArgument,
  timeoutOption,
} from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands that start, list and watch sessions. */
export function declareSessionCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("run")
      .summary("Start a session and watch its first turn")
      .description(
        "Start a session, send the prompt and watch the turn. The agent's text goes to standard output, everything " +
          "else to standard error. Approvals are asked for in the terminal; without one, the command that answers " +
          "them is printed.",
      )
      .argument("<agent>", "Agent to run; `drover agents` lists them")
      .argument("[prompt...]", "What to do; read from standard input if - or missing")
      .option("--cwd <directory>", "Directory the agent works in (default: the current one)")
      .option("--attach <file>", "Image or text file to send with the prompt; can be repeated", collect)
      .option("--worktree", "Work in a worktree of its own, on a new branch")
      .option(
        "--base <ref>",
        "With --worktree: branch, tag or commit to start from (default: the current commit)",
      )
      .option("--reattach", "With --worktree and --name: continue the existing branch drover/NAME")
      // The server refuses it and says why.
      .addOption(new Option("--container").hideHelp())
      .option("--name <name>", "Name of the session (default: a generated one)")
      .addOption(choiceOption(["--mode <mode>", "What the agent may do without asking"], permissionModes))
      .option("--model <model>", "Model, as the agent calls it")
      .option("--yes", "Approve every request of this turn once; questions are still asked")
      .option("--no-wait", "Exit with code 4 as soon as a person is needed")
      .option("--detach", "Leave the session running in the background")
      .addOption(timeoutOption())
      .addOption(
        new FramesOption("Print every frame of the stream as one line of JSON; with --detach the receipt"),
      )
      .addOption(serverOption())
      .action(
        does(async (agent: string, words: string[], options: RunOptions) =>
          (await import("./commands/run.ts")).run(cli, { agent, words, options }),
        ),
      ),
    'drover run demo "tour"',
    'drover run claude "fix the failing test" --cwd ~/project',
    "git diff | drover run codex - --mode acceptEdits",
    'drover run codex "upgrade the parser" --worktree --base main',
    'drover run gemini "write the changelog" --detach --json | jq -r .sessionId',
  );
  const demo = program.command("demo");
  examples(
    demo
      .summary("Try Drover in a scratch repository")
      .description(
        "Create a small repository and start three demo agents in it, each in its own worktree. No account is needed. " +
          "Delete the directory to get rid of it; running the command again adds three sessions.",
      )
      .argument("[directory]", "Where to create it (default: ~/drover-demo)")
      .addOption(jsonOption())
      .action(
        does(async (directory: string | undefined, options: ServerOptions) =>
          (await import("./commands/demo.ts")).demo(cli, { directory, options }),
        ),
      ),
    "drover demo",
    "drover demo workers",
  );
  examples(
    demo
      .command("workers")
      .summary("Watch six workers, from their tasks to their merges")
      .description(
        "Create a small repository and give six tasks to demo agents, each in its own worktree. The command plays your part: it answers a question, asks for changes, has a conflict resolved, and merges all six. No account is needed. " +
          "Running it again starts over.",
      )
      .argument("[directory]", "Where to create it (default: ~/drover-demo-workers)")
      .addOption(jsonOption("Print the workers and their merges as one JSON object at the end"))
      .action(
        does(async (directory: string | undefined, options: ServerOptions) =>
          (await import("./commands/demo-workers.ts")).demoWorkers(cli, { directory, options }),
        ),
      ),
    "drover demo workers",
    "drover demo workers ~/six-workers",
  );

  examples(
    program
      .command("ls")
      .summary("List sessions")
      .description("List sessions, most recently active first.")
      .option("--all", "Include archived sessions")
      .addOption(choiceOption(["--state <state>", "Only sessions in this state"], sessionStates))
      .option(
        "--unread",
        "Only sessions with a turn that ended, or a review that opened, since you last looked",
      )
      .addOption(
        choicesOption(
          ["--review <states>", "Only sessions whose review is in one of these states"],
          reviewStates,
        ),
      )
      .option("--cwd <directory>", "Only sessions in this directory")
      .option("--limit <n>", "Maximum number of sessions", readInteger, 50)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(does(async (options: LsOptions) => (await import("./commands/ls.ts")).ls(cli, options))),
    "drover ls",
    "drover ls --state waiting_for_input",
    "drover ls --unread",
    "drover ls --review open,accepted",
    "drover ls --json | jq -r '.sessions[].name'",
  );

  examples(
    program
      .command("show")
      .summary("Show a session's details")
      .description("Show a session's details and its open approvals and questions.")
      .argument(...sessionArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) =>
          (await import("./commands/show.ts")).show(cli, { session: name, options }),
        ),
      ),
    "drover show brave-otter",
    "drover show brave-otter --json | jq .state",
  );

  examples(
    program
      .command("attach")
      .summary("Watch a session live and take part")
      .description(
        "Watch a session live. Type a line and press Enter to send it; answer approvals and questions with single " +
          "keys. Ctrl-C interrupts the turn, Ctrl-C twice or Ctrl-D leaves; the session keeps running.",
      )
      .argument(...sessionArgument)
      .addOption(new FramesOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) =>
          (await import("./commands/attach.ts")).attach(cli, { session: name, options }),
        ),
      ),
    "drover attach brave-otter",
  );

  examples(
    program
      .command("send")
      .summary("Send a message to a session")
      .description("Send a message to a session. It is queued while a turn is running.")
      .argument(...sessionArgument)
      .argument("[message...]", "Message; read from standard input if - or missing")
      .option("--wait", "Watch its turn to the end, like `drover run`")
      .option("--attach <file>", "Image or text file to send with it; can be repeated", collect)
      .option("--steer", "Send it during the running turn, if the agent supports that")
      .addOption(timeoutOption())
      .addOption(jsonOption("Print the receipt as one JSON object; with --wait every frame as one line"))
      .addOption(serverOption())
      .action(
        does(async (name: string, words: string[], options: SendOptions) =>
          (await import("./commands/send.ts")).send(cli, { session: name, words, options }),
        ),
      ),
    'drover send brave-otter "now the docs"',
    'drover send brave-otter "and the tests" --wait',
  );
}

const collect = (file: string, files: readonly string[] = []): readonly string[] => [...files, file];
