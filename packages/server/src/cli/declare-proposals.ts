import { type Command, Option } from "commander";
import type { ProposalOptions } from "./commands/proposals.ts";
import { type Actions, examples, jsonOption, serverOption, workerArgument } from "./declare.ts";

/** The command about what workers propose. */
export function declareProposals(workers: Command, { cli, does }: Actions): void {
  examples(
    workers
      .command("proposals")
      .summary("List what a worker proposes")
      .description(
        "List the phases, tasks, pages and decisions that a worker has proposed; or show, export or delete them.",
      )
      .argument(...workerArgument)
      .addOption(new Option("--show <id>", "Print a proposal with its text").conflicts(["export", "rm"]))
      .addOption(
        new Option("--export <directory>", "Write the open proposals to files there").conflicts([
          "show",
          "rm",
        ]),
      )
      .addOption(new Option("--rm <id>", "Delete a proposal").conflicts(["show", "export"]))
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ProposalOptions) =>
          (await import("./commands/proposals.ts")).proposals(cli, { name, options }),
        ),
      ),
    "drover worker proposals brave-otter",
    "drover worker proposals brave-otter --export plan",
  );
}
