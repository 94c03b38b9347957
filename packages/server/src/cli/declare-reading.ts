import type { Command } from "commander";
import { comparisons } from "./choices.ts";
import type { DiffOptions } from "./commands/diff.ts";
import type { LogsOptions } from "./commands/logs.ts";
import type { WaitOptions } from "./commands/wait.ts";
import {
  type Actions,
  choiceOption,
  examples,
  FramesOption,
  jsonOption,
  serverOption,
  sessionArgument,
  timeoutOption,
} from "./declare.ts";

/** Commands that read what a session did, or wait for it. */
export function declareReadingCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("logs")
      .summary("Print a session's transcript")
      .description(
        "Print a session's transcript. A deleted session can be read by its id until it is pruned.",
      )
      .argument(...sessionArgument)
      .option("-f, --follow", "Keep printing new output until Ctrl-C")
      .option("--raw", "Print the agent's output byte for byte")
      .addOption(
        choiceOption(["--stream <name>", "Print one of the agent's raw streams"], ["stdout", "stderr"]),
      )
      .addOption(jsonOption("Print the items as one JSON object; with -f every frame as one line"))
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
      .summary("Show uncommitted changes where a session works")
      .description(
        "Show the changes in a session's directory since the last commit, in git's format, or those of one turn. Untracked files are included.",
      )
      .argument(...sessionArgument)
      .option("--path <path>", "Only this file or directory")
      .option("--turn <id>", "What this turn changed")
      .addOption(
        choiceOption(
          [
            "--against <what>",
            "Compare with the last commit, the start of the session, or the base of its branch",
          ],
          comparisons,
        ),
      )
      .option("--with <session>", "What this session has otherwise than that one, in the same repository")
      .option("--stat", "List the files and the number of changed lines")
      .addOption(jsonOption("Print the files as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string, options: DiffOptions) =>
          (await import("./commands/diff.ts")).diff(cli, { session: name, options }),
        ),
      ),
    "drover diff brave-otter",
    "drover diff brave-otter --stat",
    "drover diff brave-otter --against start",
    "drover diff brave-otter --against base",
    "drover diff brave-otter --with calm-fox",
    "drover diff brave-otter --path src | git apply --directory ../elsewhere",
  );

  examples(
    program
      .command("wait")
      .summary("Wait until a session is done")
      .description(
        "Wait until a session has nothing more to do. Exits with 0 if its last turn ended well, otherwise with 1.",
      )
      .argument(...sessionArgument)
      .option("--no-wait", "Exit with code 4 as soon as a person is needed")
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
}
