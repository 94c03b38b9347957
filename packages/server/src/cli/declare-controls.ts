import type { Command } from "commander";
import type { UndoOptions } from "./commands/control.ts";
import type { RetryOptions } from "./commands/retry.ts";
import { type Actions, examples, jsonOption, serverOption, sessionArgument } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

const controls = {
  interrupt: {
    summary: "Interrupt the running turn",
    description: "Interrupt the running turn. The session stays, and its queue is paused.",
  },
  stop: {
    summary: "Stop a session's agent",
    description: "Stop the agent's process. The conversation stays and can be resumed.",
  },
  resume: {
    summary: "Restart a session or continue its queue",
    description: "Restart a stopped or crashed session, or continue a paused queue.",
  },
} as const;

/** Commands that change what a session is doing. */
export function declareControlCommands(program: Command, { cli, does }: Actions): void {
  for (const name of ["interrupt", "stop", "resume"] as const) {
    const { summary, description } = controls[name];
    const command = program
      .command(name)
      .summary(summary)
      .description(description)
      .argument(...sessionArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: ServerOptions) =>
          (await import("./commands/control.ts"))[name](cli, { session, options }),
        ),
      );
    examples(command, `drover ${name} brave-otter`);
  }
  examples(
    program
      .command("retry")
      .summary("Send the last prompt again")
      .description("Send the prompt of a session's last turn again, for example after it failed.")
      .argument(...sessionArgument)
      .option("--when-it-resets", "Send it when the usage limit resets; the server waits for that time")
      .addOption(jsonOption("Print the receipt as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (session: string, options: RetryOptions) =>
          (await import("./commands/retry.ts")).retry(cli, { session, options }),
        ),
      ),
    "drover retry brave-otter",
    "drover retry brave-otter --when-it-resets",
  );
  examples(
    program
      .command("undo")
      .summary("Restore the files that a turn changed")
      .description(
        "Restore the files that a turn changed to what they were before it. Without --turn, the last turn whose changes are still there is undone. Paths are relative to the top of the repository.",
      )
      .argument(...sessionArgument)
      .argument("[paths...]", "Only these files or directories")
      .option("--turn <id>", "The turn, or an earlier undo")
      .option("--force", "Also restore files that have changed since")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, paths: string[], options: UndoOptions) =>
          (await import("./commands/control.ts")).undo(cli, { session, paths, options }),
        ),
      ),
    "drover undo brave-otter",
    "drover undo brave-otter src/app.ts --turn trn_01jx5s8k3v9w2q7m4n6p8r0t2y",
  );
  examples(
    program
      .command("discard")
      .summary("Discard uncommitted changes to files")
      .description(
        "Discard uncommitted changes: files go back to the last commit, and new files are removed. Paths are relative to the session's directory. `drover undo` brings them back.",
      )
      .argument(...sessionArgument)
      .argument("<paths...>", "Files or directories")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, paths: string[], options: ServerOptions) =>
          (await import("./commands/control.ts")).discard(cli, { session, paths, options }),
        ),
      ),
    "drover discard brave-otter src/app.ts",
  );
  examples(
    program
      .command("commit")
      .summary("Commit what a session changed")
      .description(
        "Commit what has changed in a session's directory to the branch that is checked out, with your git identity. No hook runs. Paths are relative to the session's directory.",
      )
      .argument(...sessionArgument)
      .argument("[paths...]", "Only these files or directories")
      .requiredOption("-m, --message <text>", "The commit message")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, paths: string[], options: ServerOptions & { message: string }) =>
          (await import("./commands/control.ts")).commit(cli, { session, paths, options }),
        ),
      ),
    'drover commit brave-otter -m "Fix the login"',
    'drover commit brave-otter -m "Fix the login" src/login.ts',
  );
  examples(
    program
      .command("rm")
      .summary("Delete a session")
      .description(
        "Delete a session. A running one is stopped first. The log stays readable by id until it is pruned.",
      )
      .argument(...sessionArgument)
      .option("--force", "Delete it even if its worktree has uncommitted changes")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: ServerOptions & { force?: boolean }) =>
          (await import("./commands/control.ts")).rm(cli, { session, options }),
        ),
      ),
    "drover rm brave-otter",
  );
}
