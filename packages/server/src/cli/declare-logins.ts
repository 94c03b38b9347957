import { type Command, InvalidArgumentError } from "commander";
import type { RevokeOptions } from "./commands/login.ts";
import { type Actions, examples, jsonOption, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands about the browsers that are logged in. */
export function declareLoginCommands(program: Command, { cli, does }: Actions): void {
  const login = program
    .command("login")
    .summary("list and revoke the browsers that are logged in")
    .description(
      "Lists and revokes the browsers that are logged in. `drover` alone prints a link that logs one in.",
    );
  examples(login, "drover login ls", "drover login revoke lgn_01hv…", "drover login revoke --all");
  login
    .command("ls", { isDefault: true })
    .description("Lists the logins, most recently used first.")
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(
      does(async (options: ServerOptions) => (await import("./commands/login.ts")).loginLs(cli, options)),
    );
  examples(
    login
      .command("revoke")
      .description("Ends a login at once, with every page it has open. With --all: every login.")
      .argument("[id]", "the id `drover login ls` shows", readLoginId)
      .option("--all", "every login, and every login link that has not been used")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (id: string | undefined, options: RevokeOptions) =>
          (await import("./commands/login.ts")).loginRevoke(cli, { id, options }),
        ),
      ),
    "drover login revoke lgn_01hv…",
    "drover login revoke --all",
  );
}

function readLoginId(text: string): string {
  if (!/^lgn_\w+$/.test(text))
    throw new InvalidArgumentError("It looks like lgn_01hv…; `drover login ls` shows it.");
  return text;
}
