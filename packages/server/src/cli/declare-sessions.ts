import { type Command, Option } from "commander";
import { permissionModes, sessionStates } from "./choices.ts";
import type { DiffOptions } from "./commands/diff.ts";
import type { LogsOptions } from "./commands/logs.ts";
import type { LsOptions } from "./commands/ls.ts";
import type { RunOptions } from "./commands/run.ts";
import type { SendOptions } from "./commands/send.ts";
import type { WaitOptions } from "./commands/wait.ts";
import {
  type Actions,
  examples,
  FramesOption,
  jsonOption,
  readInteger,
  serverOption,
  timeoutOption,
} from "./declare.ts";
import type { ServerOptions } from "./options.ts";

const session = ["<session>", "its name or id"] as const;

/** Commands about one session, and the list of them. */
export function declareSessionCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("run")
      .summary("start a session and watch its first turn")
      .description(
        "Starts a session, sends the prompt and shows the turn: the agent's text on standard output, the rest on " +
          "standard error. Approvals are asked for here; without a terminal the command that answers is printed.",
      )
      .argument("<agent>", "which agent; `drover agents` lists them")
      .argument("[prompt...]", "what to do; from standard input when it is - or missing")
      .option("--cwd <directory>", "where the agent works (default: here)")
      .option("--worktree", "in a git worktree of its own")
      .option("--container", "in a container of its own")
      .option("--name <name>", "call the session that (default: a name is made up)")
      .addOption(new Option("--mode <mode>", "what may be done without asking").choices(permissionModes))
      .option("--model <model>", "the model, in the agent's own words")
      .option("--yes", "approve once whatever this turn asks to do; questions are still yours")
      .option("--no-wait", "end with exit 4 as soon as a person is needed")
      .option("--detach", "do not watch: print the receipt and leave it running")
      .addOption(timeoutOption())
      .addOption(new FramesOption())
      .addOption(serverOption())
      .action(
        does(async (agent: string, words: string[], options: RunOptions) =>
          (await import("./commands/run.ts")).run(cli, { agent, words, options }),
        ),
      ),
    'drover run demo "tour"',
    'drover run claude "fix the failing test" --cwd ~/project',
    "git diff | drover run codex - --mode acceptEdits",
    'drover run gemini "write the changelog" --detach --json | jq -r .sessionId',
  );

  examples(
    program
      .command("ls")
      .summary("list sessions")
      .description("Lists sessions, those with the latest activity first.")
      .option("--all", "archived ones, too")
      .addOption(new Option("--state <state>", "only those in this state").choices(sessionStates))
      .option("--cwd <directory>", "only those that work there")
      .option("--limit <n>", "at most so many", readInteger, 50)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(does(async (options: LsOptions) => (await import("./commands/ls.ts")).ls(cli, options))),
    "drover ls",
    "drover ls --state waiting_for_input",
    "drover ls --json | jq -r '.sessions[].name'",
  );

  examples(
    program
      .command("show")
      .summary("show how a session stands")
      .description("Shows how a session stands, and what it asks.")
      .argument(...session)
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
      .summary("look at a session live and take part")
      .description(
        "Shows a session live. Type a line and press Enter to send it; answer approvals and questions with single " +
          "keys. Ctrl-C interrupts the turn, Ctrl-C twice or Ctrl-D leaves; the session goes on.",
      )
      .argument(...session)
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
      .summary("send a message to a session")
      .description(
        "Sends a message to a session and prints the receipt. A running turn makes it wait in the queue.",
      )
      .argument(...session)
      .argument("[message...]", "the message; from standard input when it is - or missing")
      .option("--wait", "watch its turn to the end, as `run` does")
      .option("--steer", "into the running turn, where the agent can take it")
      .addOption(timeoutOption())
      .addOption(jsonOption("print the receipt alone; with --wait every frame as one line of JSON"))
      .addOption(serverOption())
      .action(
        does(async (name: string, words: string[], options: SendOptions) =>
          (await import("./commands/send.ts")).send(cli, { session: name, words, options }),
        ),
      ),
    'drover send brave-otter "now the docs"',
    'drover send brave-otter "and the tests" --wait',
  );

  examples(
    program
      .command("logs")
      .summary("print what was said in a session")
      .description("Prints what was said in a session; of a deleted one by its id, until it is pruned.")
      .argument(...session)
      .option("-f, --follow", "go on with what comes, until Ctrl-C")
      .option("--raw", "the bytes the agent wrote, as it wrote them")
      .addOption(
        new Option("--stream <name>", "which of the agent's streams, raw").choices(["stdout", "stderr"]),
      )
      .addOption(jsonOption("print the items as one JSON object; with -f every frame as one line"))
      .addOption(serverOption())
      .action(
        does(async (name: string, options: LogsOptions) =>
          (await import("./commands/logs.ts")).logs(cli, { session: name, options }),
        ),
      ),
    "drover logs brave-otter",
    "drover logs brave-otter -f",
    "drover logs brave-otter --raw --stream stderr",
  );

  examples(
    program
      .command("diff")
      .summary("show what is changed where a session works")
      .description(
        "Prints what is changed in a session's directory since the last commit, as git does; untracked files, too.",
      )
      .argument(...session)
      .option("--path <path>", "only this file or directory")
      .option("--stat", "the files and how many lines of each, instead of the diff")
      .addOption(jsonOption("print the files as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string, options: DiffOptions) =>
          (await import("./commands/diff.ts")).diff(cli, { session: name, options }),
        ),
      ),
    "drover diff brave-otter",
    "drover diff brave-otter --stat",
    "drover diff brave-otter --path src | git apply --directory ../elsewhere",
  );

  examples(
    program
      .command("wait")
      .summary("wait until a session has nothing left to do")
      .description(
        "Waits until a session has nothing left to do; exit 0 when its last turn ended well, else 1.",
      )
      .argument(...session)
      .option("--no-wait", "end with exit 4 as soon as a person is needed")
      .addOption(timeoutOption())
      .addOption(new FramesOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: WaitOptions) =>
          (await import("./commands/wait.ts")).wait(cli, { session: name, options }),
        ),
      ),
    "drover wait brave-otter && git push",
    "drover wait brave-otter --timeout 10m",
  );

  declareControls(program, { cli, does });
}

function declareControls(program: Command, { cli, does }: Actions): void {
  const controls = {
    interrupt: [
      "end the running turn",
      "Ends the running turn. The session stays; what waits in its queue is paused.",
    ],
    stop: ["end a session's process", "Ends the agent's process. The conversation stays and can be resumed."],
    resume: [
      "start a session again, or its queue",
      "Starts a stopped or crashed session again, or lets a paused queue go on.",
    ],
  } as const;
  for (const name of ["interrupt", "stop", "resume"] as const) {
    const [summary, description] = controls[name];
    const command = program
      .command(name)
      .summary(summary)
      .description(description)
      .argument(...session)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions) =>
          (await import("./commands/control.ts"))[name](cli, { session: target, options }),
        ),
      );
    examples(command, `drover ${name} brave-otter`);
  }
  examples(
    program
      .command("rm")
      .summary("delete a session")
      .description(
        "Deletes a session; a running one is stopped first. Its log stays readable by id until pruned.",
      )
      .argument(...session)
      .option("--force", "even when its worktree has changes that are not committed")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions & { force?: boolean }) =>
          (await import("./commands/control.ts")).rm(cli, { session: target, options }),
        ),
      ),
    "drover rm brave-otter",
  );
}
