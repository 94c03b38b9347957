import type { Scope } from "@drover/core";
import { type Command, Option } from "commander";
import type { SettleOptions } from "./commands/permit.ts";
import { type Actions, examples, jsonOption, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

const id = ["<id>", "the id `drover permit` shows, or the tool call's"] as const;

const inputOption = () =>
  new Option("--input <hash>", "confirm a request that the agent has changed, by the hash shown with it");

/** Commands about what waits for a person. */
export function declareInteractionCommands(program: Command, { cli, does }: Actions): void {
  const list = does(async (options: ServerOptions) =>
    (await import("./commands/permit.ts")).permitLs(cli, options),
  );
  const permit = program
    .command("permit")
    .summary("list and decide what waits for you")
    .description("Lists the approvals and questions of all sessions, and decides approvals.");
  examples(
    permit,
    "drover permit",
    "drover permit allow int_01hv… --scope session",
    'drover permit deny int_01hv… --reason "use the test database"',
  );
  permit
    .command("ls", { isDefault: true })
    .description("Lists what is open, oldest first.")
    .addOption(jsonOption())
    .addOption(serverOption())
    .action(list);
  examples(
    permit
      .command("allow")
      .description("Approves it, once or for the rest of the session.")
      .argument(...id)
      .addOption(
        new Option("--scope <scope>", "for how long")
          .choices(["once", "session", "project", "always"])
          .default("once"),
      )
      .addOption(inputOption())
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: SettleOptions & { scope: Scope }) =>
          (await import("./commands/permit.ts")).permitAllow(cli, { id: target, options }),
        ),
      ),
    "drover permit allow int_01hv…",
    "drover permit allow int_01hv… --scope session",
  );
  examples(
    permit
      .command("deny")
      .description("Denies it. The agent gets the reason where it can take one.")
      .argument(...id)
      .option("--reason <text>", "what to do instead")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions & { reason?: string }) =>
          (await import("./commands/permit.ts")).permitDeny(cli, { id: target, options }),
        ),
      ),
    'drover permit deny int_01hv… --reason "use the test database"',
  );
  examples(
    program
      .command("answer")
      .summary("answer a question")
      .description("Answers a question. A key given twice chooses several; a lone question needs no key.")
      .argument(...id)
      .argument("<answers...>", "KEY=VALUE, with the question's id, header or whole text as key")
      .addOption(inputOption())
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, pairs: string[], options: SettleOptions) =>
          (await import("./commands/permit.ts")).answer(cli, { id: target, pairs, options }),
        ),
      ),
    "drover answer int_01hv… q1=Blue",
    "drover answer int_01hv… colours=Red colours=Blue name='the new one'",
  );
}
