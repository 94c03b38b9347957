import type { Command } from "commander";
import type { ServeOptions } from "./cli.ts";
import type { BackupOptions } from "./commands/backup.ts";
import type { ConfigOptions } from "./commands/config.ts";
import type { DoctorOptions } from "./commands/doctor.ts";
import type { DownOptions } from "./commands/down.ts";
import type { PruneOptions } from "./commands/prune.ts";
import {
  type Actions,
  examples,
  forPeople,
  jsonOption,
  readAge,
  readInteger,
  serverOption,
} from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands that start and stop the server. */
export function declareServerCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("serve")
      .summary("Start the server")
      .description(
        "Start the server in the foreground and print its address and a login link. It stops on Ctrl-C or TERM; agents " +
          "keep running, and the next server reconnects to them.",
      )
      .option("--port <n>", "Port to listen on; 0 picks a free one", readInteger)
      .option("--config <file>", "Configuration file (default: drover.yaml in the home)")
      .option("--detach", "Run in the background and log to server.log in the home")
      .option("--stop-agents", "Stop agents when the server stops")
      .addOption(jsonOption("Print one line of JSON when it is listening"))
      .action(
        does(async (options: ServeOptions) =>
          options.detach
            ? (await import("./commands/serve.ts")).serveDetached(cli, options)
            : cli.parts.serve(options, {
                say: (text) => cli.stdout.paragraph(text),
                complain: (text) => cli.stderr.paragraph(text),
                json: (value) => cli.stdout.json(value),
              }),
        ),
      ),
    "drover serve",
    "drover serve --detach",
    "drover down && drover serve          # upgrade; agents keep running",
  );
  examples(
    program
      .command("down")
      .summary("Stop the server")
      .description("Stop the server of this home. Agents keep running.")
      .option("--stop-agents", "Stop agents as well")
      .addOption(jsonOption())
      .action(
        forPeople({ cli, does })(async (options: DownOptions) =>
          (await import("./commands/down.ts")).down(cli, options),
        ),
      ),
    "drover down",
    "drover down --stop-agents",
  );
}

/** Commands about agents and the setup. They work without a server and start none. */
export function declareSetupCommands(program: Command, { cli, does }: Actions): void {
  const agents = program
    .command("agents")
    .enablePositionalOptions()
    .summary("List and install agents")
    .description("List agents, installed ones first, and how to install the others.")
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(
      does(async (options: ServerOptions) => (await import("./commands/agents.ts")).agents(cli, options)),
    );
  examples(agents, "drover agents", "drover agents add claude");
  examples(
    agents
      .command("add")
      .summary("Install an agent")
      .description("Install an agent from npm into Drover's home, in the version Drover was tested with.")
      .argument("<name>", "Agent to install; `drover agents` lists them")
      .addOption(jsonOption("Print the agent as one JSON object"))
      .action(
        forPeople({ cli, does })(async (name: string, options: { json?: boolean }) =>
          (await import("./commands/agents-add.ts")).agentsAdd(cli, { name, options }),
        ),
      ),
    "drover agents add codex",
  );
  examples(
    program
      .command("doctor")
      .summary("Check the setup and suggest fixes")
      .description("Check the setup and suggest fixes. Exits with 1 if something is broken.")
      .option("--deep", "Also start the program of every installed agent, without a prompt")
      .addOption(jsonOption())
      .action(
        does(async (options: DoctorOptions) => (await import("./commands/doctor.ts")).doctor(cli, options)),
      ),
    "drover doctor",
    "drover doctor --deep",
  );
  examples(
    program
      .command("config")
      .summary("Show the configuration and where each value comes from")
      .description("Show the configuration and where each value comes from.")
      .option("--config <file>", "Configuration file (default: drover.yaml in the home)")
      .addOption(jsonOption())
      .action(
        does(async (options: ConfigOptions) => (await import("./commands/config.ts")).config(cli, options)),
      ),
    "drover config",
    "DROVER__INTERACTIONS__TIMEOUT=2s drover config --json | jq .settings",
  );
  declareStorageCommands(program, { cli, does });
}

function declareStorageCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("backup")
      .summary("Copy the home while it is in use")
      .description("Copy the home into a new directory. The server may be running.")
      .argument("<directory>", "New or empty directory; to restore, put it in place of the home")
      .option("--secrets", "Include the token and the secrets of accounts")
      .addOption(jsonOption())
      .action(
        forPeople({ cli, does })(async (directory: string, options: BackupOptions) =>
          (await import("./commands/backup.ts")).backup(cli, { directory, options }),
        ),
      ),
    "drover backup ~/drover-backup",
  );
  examples(
    program
      .command("prune")
      .summary("Delete the logs of deleted sessions, and merged worktrees")
      .description(
        "Delete the logs of deleted sessions. Logs of other sessions, archived ones included, are kept. Worktrees whose " +
          "commits are all in the checkout are listed; --worktrees removes them.",
      )
      .option(
        "--older-than <time>",
        "Only sessions deleted at least this long ago (default: storage.keepDeleted)",
        readAge,
      )
      .option("--worktrees", "Remove merged worktrees; their branches and sessions stay")
      .option("--dry-run", "Only show what would be deleted")
      .addOption(jsonOption())
      .action(
        forPeople({ cli, does })(async (options: PruneOptions) =>
          (await import("./commands/prune.ts")).prune(cli, options),
        ),
      ),
    "drover prune --older-than 30d --dry-run",
    "drover prune --worktrees",
  );
}
