import type { Command } from "commander";
import type { UseOptions } from "./commands/accounts.ts";
import type { AddOptions, DiscoverOptions } from "./commands/accounts-add.ts";
import { type Actions, examples, jsonOption, readInteger, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

const accountArgument = ["<account>", "Id, start of the id, or label"] as const;

/** Commands about accounts. */
export function declareAccountCommands(program: Command, actions: Actions): void {
  const account = program
    .command("account")
    .summary("Manage accounts: the logins that agents take in turns")
    .description(
      "Manage accounts. Each turn of an agent runs on the account that was used the longest ago, and accounts whose " +
        "limit is reached are left out until it ends. Without accounts, agents use their own logins.",
    );
  examples(account, "drover account ls", "drover account add claude --label work --token -");
  declareAdding(account, actions);
  declareReading(account, actions);
  declareChanging(account, actions);
}

function declareAdding(account: Command, { cli, does }: Actions): void {
  examples(
    account
      .command("add")
      .summary("Add an account")
      .description("Add an account for an agent, and for all agents of the same vendor.")
      .argument("<agent>", "Agent that it is for; `drover agents` lists them")
      .option("--token <token>", "Token or key; - reads it from standard input or lets you type it")
      .option("--env <name>", "Variable that carries the secret instead; its value is read likewise")
      .option("--label <text>", "What you call it")
      .option("--email <address>", "Whose it is")
      .option("--priority <n>", "The highest goes first among accounts that were never used", readInteger)
      .addOption(jsonOption("Print the account as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (agent: string, options: AddOptions) =>
          (await import("./commands/accounts-add.ts")).accountAdd(cli, { agent, options }),
        ),
      ),
    "drover account add claude --label work --token - < token.txt",
    "drover account add claude --label api --env ANTHROPIC_API_KEY",
  );
  examples(
    account
      .command("discover")
      .summary("Find logins that agents have of their own")
      .description(
        "Find logins that agents have of their own, and add those that you confirm. Their files stay as they are.",
      )
      .argument("[agent]", "Only this agent's")
      .option("--add", "Add everything that is found, without asking")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (agent: string | undefined, options: DiscoverOptions) =>
          (await import("./commands/accounts-add.ts")).accountDiscover(cli, { agent, options }),
        ),
      ),
    "drover account discover",
  );
}

function declareReading(account: Command, { cli, does }: Actions): void {
  examples(
    account
      .command("ls", { isDefault: true })
      .summary("List accounts")
      .description("List accounts with their state.")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (options: ServerOptions) =>
          (await import("./commands/accounts.ts")).accountLs(cli, options),
        ),
      ),
    "drover account ls",
  );
  examples(
    account
      .command("show")
      .summary("Show an account's details")
      .description("Show an account's details. Secrets are never shown.")
      .argument(...accountArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) =>
          (await import("./commands/accounts.ts")).accountShow(cli, { account: name, options }),
        ),
      ),
    "drover account show work",
  );
}

function declareChanging(account: Command, { cli, does }: Actions): void {
  examples(
    account
      .command("rm")
      .summary("Remove an account and its secrets")
      .description("Remove an account and its secrets. An account that a session uses is not removed.")
      .argument(...accountArgument)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) =>
          (await import("./commands/accounts.ts")).accountRm(cli, { account: name, options }),
        ),
      ),
    "drover account rm work",
  );
  for (const [name, enabled, what] of [
    ["enable", true, "Use an account again that was disabled"],
    ["disable", false, "Leave an account out until it is enabled"],
  ] as const) {
    examples(
      account
        .command(name)
        .summary(what)
        .description(`${what}.`)
        .argument(...accountArgument)
        .addOption(jsonOption("Print the account as one JSON object"))
        .addOption(serverOption())
        .action(
          does(async (wanted: string, options: ServerOptions) =>
            (await import("./commands/accounts.ts")).accountEnable(cli, {
              account: wanted,
              options,
              enabled,
            }),
          ),
        ),
      `drover account ${name} work`,
    );
  }
  examples(
    account
      .command("clear")
      .summary("Use an account again before its limit ends")
      .description("Forget that an account's limit was reached, or that its login was refused.")
      .argument(...accountArgument)
      .addOption(jsonOption("Print the account as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string, options: ServerOptions) =>
          (await import("./commands/accounts.ts")).accountClear(cli, { account: name, options }),
        ),
      ),
    "drover account clear work",
  );
  examples(
    account
      .command("use")
      .summary("Choose the account of a session")
      .description(
        "Choose the account of a session, from its next turn on. Without an account, Drover chooses again.",
      )
      .argument("[account]", accountArgument[1])
      .requiredOption("--session <session>", "Name, id or start of the id")
      .addOption(jsonOption("Print the session as one JSON object"))
      .addOption(serverOption())
      .action(
        does(async (name: string | undefined, options: UseOptions) =>
          (await import("./commands/accounts.ts")).accountUse(cli, { account: name, options }),
        ),
      ),
    "drover account use work --session brave-otter",
    "drover account use --session brave-otter",
  );
}
