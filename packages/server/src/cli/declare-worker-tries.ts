import type { Command } from "commander";
import type { AcceptOptions, CompareOptions } from "./commands/worker-tries.ts";
import { type Actions, examples, jsonOption, serverOption, workerArgument } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands about several tries at one task, and what becomes of them. */
export function declareTries(workers: Command, { cli, does }: Actions): void {
  const tries = () => import("./commands/worker-tries.ts");
  examples(
    workers
      .command("compare")
      .summary("Compare several tries at one task")
      .description(
        "List the tries at one task side by side. With --diff, show what the second of two workers has otherwise than the first, uncommitted files included.",
      )
      .argument("<batch>", "The batch, or one of its workers")
      .option("--diff <workers...>", "Two workers")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (batch: string, options: CompareOptions) =>
          (await tries()).compare(cli, { batch, options }),
        ),
      ),
    "drover worker compare login",
    "drover worker compare login --diff login-1 login-3",
  );
  examples(
    workers
      .command("accept")
      .summary("Accept a worker's work")
      .description(
        "Accept a worker's work, so that it can be merged. With --discard-others, also discard the other tries at its task.",
      )
      .argument(...workerArgument)
      .option(
        "--discard-others",
        "Delete the other workers of its batch in the project, with their worktrees",
      )
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: AcceptOptions) => (await tries()).accept(cli, { name, options })),
      ),
    "drover worker accept brave-otter && drover merge brave-otter",
    "drover worker accept login-2 --discard-others",
  );
  examples(
    workers
      .command("discard")
      .summary("Delete workers and their worktrees")
      .description(
        "Delete workers and their worktrees. Branches stay if they have commits, and uncommitted files are kept under a ref.",
      )
      .argument("<workers...>", "Names, ids or starts of ids")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (names: string[], options: ServerOptions) =>
          (await tries()).discard(cli, { names, options }),
        ),
      ),
    "drover worker discard brave-otter",
    "drover worker discard login-1 login-3",
  );
}
