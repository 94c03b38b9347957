import type { Command } from "commander";
import type { SetOptions } from "./commands/projects.ts";
import { type Actions, choiceOption, examples, jsonOption, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";
import { readWords } from "./words-of.ts";

/** Commands about projects. */
export function declareProjectCommands(program: Command, { cli, does }: Actions): void {
  const projects = program
    .command("projects")
    .enablePositionalOptions()
    .summary("List projects and change their settings")
    .description("List projects with their settings.")
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(
      does(async (options: ServerOptions) =>
        (await import("./commands/projects.ts")).listProjects(cli, options),
      ),
    );
  examples(projects, "drover projects", 'drover projects set . --setup "npm ci" --workspace worktree');
  examples(
    projects
      .command("set")
      .summary("Change a project's settings")
      .description(
        "Change what happens in new sessions of a project. Setup commands run in each new worktree before the first " +
          "turn, without a shell; for shell syntax, use sh -c '…'.",
      )
      .argument("<project>", "Path, name or id")
      .option("--setup <command>", "A setup command; repeat for several", collectCommands)
      .option("--no-setup", "Remove all setup commands")
      .addOption(
        choiceOption(
          ["--workspace <mode>", "Workspace of new sessions; default: as the server is configured"],
          ["local", "worktree", "default"],
        ),
      )
      .addOption(jsonOption("Print the project as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (project: string, options: SetOptions) =>
          (await import("./commands/projects.ts")).setProject(cli, { project, options }),
        ),
      ),
    'drover projects set . --setup "npm ci" --setup "npm run build"',
    "drover projects set shop --workspace worktree",
    "drover projects set shop --no-setup",
  );
}

const collectCommands = (text: string, earlier: string[][] | boolean): string[][] => [
  ...(Array.isArray(earlier) ? earlier : []),
  readWords(text),
];
