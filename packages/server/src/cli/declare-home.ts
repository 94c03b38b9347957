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

/** Commands about the server and its home; they need no running server and start none but the one they are for. */
export function declareHomeCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("serve")
      .summary("run the server")
      .description(
        "Runs the server in the foreground and prints its address and a login link. It ends on Ctrl-C or TERM; agents " +
          "keep running and are found again by the next one.",
      )
      .option("--port <n>", "listen there; 0 takes any free port", readInteger)
      .option("--config <file>", "the configuration (default: drover.yaml in the home)")
      .option("--detach", "run on in the background, with server.log in the home")
      .option("--stop-agents", "end agents, too, when the server ends")
      .addOption(jsonOption("print one line of JSON when it listens"))
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
    "drover down && drover serve          the upgrade: agents keep running",
  );
  examples(
    program
      .command("down")
      .summary("end the server")
      .description("Ends the server of this home. Agents keep running.")
      .option("--stop-agents", "end them, too")
      .addOption(jsonOption())
      .action(
        forPeople({ cli, does })(async (options: DownOptions) =>
          (await import("./commands/down.ts")).down(cli, options),
        ),
      ),
    "drover down",
    "drover down --stop-agents",
  );
  declareLooks(program, { cli, does });
  declareKeeping(program, { cli, does });
}

/** Looks at what is there. */
function declareLooks(program: Command, { cli, does }: Actions): void {
  const agents = program
    .command("agents")
    .enablePositionalOptions()
    .summary("list the agents that can be run, or install one")
    .description(
      "Lists the agents that can be run, those that are installed first, and how to get the others.",
    )
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(
      does(async (options: ServerOptions) => (await import("./commands/agents.ts")).agents(cli, options)),
    );
  examples(agents, "drover agents", "drover agents add claude");
  examples(
    agents
      .command("add")
      .summary("install an agent into Drover's home")
      .description("Installs an agent that npm has, at the version Drover was verified with, into its home.")
      .argument("<name>", "which agent; `drover agents` lists them")
      .addOption(jsonOption("print the agent, as the list has it, as one JSON object"))
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
      .summary("check everything and say how to mend it")
      .description("Checks everything Drover needs here and says how to mend what is broken (exit 1).")
      .option("--deep", "start every installed agent's program, too, without a prompt")
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
      .summary("show what is configured, and where")
      .description("Shows what is configured and where each value comes from.")
      .option("--config <file>", "the configuration (default: drover.yaml in the home)")
      .addOption(jsonOption())
      .action(
        does(async (options: ConfigOptions) => (await import("./commands/config.ts")).config(cli, options)),
      ),
    "drover config",
    "DROVER__INTERACTIONS__TIMEOUT=2s drover config --json | jq .settings",
  );
}

/** Looks after what is stored. */
function declareKeeping(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("backup")
      .summary("copy the home while it is in use")
      .description("Copies the home into a new directory, while the server may be serving it.")
      .argument("<directory>", "new or empty; to restore, put it in place of the home")
      .option("--secrets", "the token and accounts, too")
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
      .summary("free the logs of deleted sessions")
      .description("Frees the logs of deleted sessions, never of live or archived ones.")
      .option("--older-than <time>", "deleted at least so long ago (default: storage.keepDeleted)", readAge)
      .option("--dry-run", "only say what would be freed")
      .addOption(jsonOption())
      .action(
        forPeople({ cli, does })(async (options: PruneOptions) =>
          (await import("./commands/prune.ts")).prune(cli, options),
        ),
      ),
    "drover prune --older-than 30d --dry-run",
  );
}
