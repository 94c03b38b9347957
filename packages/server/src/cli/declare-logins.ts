import { type Command, InvalidArgumentError } from "commander";
import type { RevokeOptions } from "./commands/login.ts";
import { type Actions, examples, jsonOption, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

/** Commands about logged-in browsers. */
export function declareLoginCommands(program: Command, { cli, does }: Actions): void {
  const login = program
    .command("login")
    .summary("List and log out browsers")
    .description("List and log out browsers. `drover` without a command prints a link to log one in.");
  examples(login, "drover login ls", "drover login revoke lgn_01hv…", "drover login revoke --all");
  examples(
    login
      .command("ls", { isDefault: true })
      .summary("List logins")
      .description("List logins, most recently used first.")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (options: ServerOptions) => (await import("./commands/login.ts")).loginLs(cli, options)),
      ),
    "drover login ls",
  );
  examples(
    login
      .command("revoke")
      .summary("Log a browser out")
      .description("Log a browser out at once, including its open pages.")
      .argument("[id]", "Id shown by `drover login ls`", readLoginId)
      .option("--all", "Revoke every login and every unused login link")
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
    throw new InvalidArgumentError("A login id looks like lgn_01hv…; `drover login ls` shows it.");
  return text;
}
