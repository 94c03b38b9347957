import type { Command } from "commander";
import type { RemoveOptions, RestoreOptions } from "./commands/workspaces.ts";
import { type Actions, examples, jsonOption, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands about worktrees. */
export function declareWorkspaceCommands(program: Command, { cli, does }: Actions): void {
  const workspaces = program
    .command("workspaces")
    .enablePositionalOptions()
    .summary("List, remove and restore worktrees")
    .description(
      "List the worktrees that Drover made: their sessions, changes and sizes, and the work kept from removed ones.",
    )
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(
      does(async (options: ServerOptions) =>
        (await import("./commands/workspaces.ts")).listWorkspaces(cli, options),
      ),
    );
  examples(
    workspaces,
    "drover workspaces",
    "drover workspaces rm brave-otter",
    "drover workspaces --json | jq -r '.workspaces[] | select(.orphaned).path'",
  );
  examples(
    workspaces
      .command("rm")
      .summary("Remove a worktree")
      .description(
        "Remove a worktree. Its branch stays, and so does its session: resuming it makes the worktree again.",
      )
      .argument("<worktree>", "Name or path, as in the list")
      .option("--force", "Remove it even if it has uncommitted changes; they are kept under a ref")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (worktree: string, options: RemoveOptions) =>
          (await import("./commands/workspaces.ts")).removeWorkspace(cli, { worktree, options }),
        ),
      ),
    "drover workspaces rm brave-otter",
    "drover workspaces rm brave-otter --force",
  );
  examples(
    workspaces
      .command("restore")
      .summary("Restore the work kept from a removed worktree")
      .description(
        "Create a worktree with the files that were kept when it was removed by force, including staged ones.",
      )
      .argument("<name>", "Name of the worktree, or the ref; of several, the latest is restored")
      .option("--repository <path>", "Repository that has it, if several do")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: RestoreOptions) =>
          (await import("./commands/workspaces.ts")).restoreWorkspace(cli, { name, options }),
        ),
      ),
    "drover workspaces restore brave-otter",
  );
}
