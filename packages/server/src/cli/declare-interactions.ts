import type { Scope } from "@drover/core";
import { type Command, Option } from "commander";
import type { SettleOptions } from "./commands/permit.ts";
import { type Actions, choiceOption, examples, jsonOption, readInteger, serverOption } from "./declare.ts";
import type { ServerOptions } from "./options.ts";

const id = ["<id>", "Id shown by `drover permit`, or of the tool call"] as const;

const revisionOption = () =>
  new Option("--revision <n>", "Confirm a changed or large request by its revision").argParser(readInteger);

/** Commands about approvals and questions. */
export function declareInteractionCommands(program: Command, { cli, does }: Actions): void {
  const list = does(async (options: ServerOptions) =>
    (await import("./commands/permit.ts")).permitLs(cli, options),
  );
  const permit = program
    .command("permit")
    .alias("inbox")
    .summary("List and decide approvals")
    .description(
      "List the approvals and questions of all sessions, and decide approvals. `drover inbox` does the same.",
    );
  examples(
    permit,
    "drover permit",
    "drover permit allow int_01hv… --scope session",
    'drover permit deny int_01hv… --reason "use the test database"',
  );
  examples(
    permit
      .command("ls", { isDefault: true })
      .summary("List open approvals and questions")
      .description("List open approvals and questions, oldest first, then expired ones.")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(list),
    "drover permit ls",
  );
  examples(
    permit
      .command("show")
      .summary("Show a request in full")
      .description("Show one approval or question in full, including one that is too large for the list.")
      .argument(...id)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions) =>
          (await import("./commands/permit.ts")).permitShow(cli, { id: target, options }),
        ),
      ),
    "drover permit show int_01hv…",
  );
  examples(
    permit
      .command("allow")
      .summary("Approve a request")
      .description("Approve a request, once or for the session.")
      .argument(...id)
      .addOption(
        choiceOption(
          ["--scope <scope>", "How long the approval lasts"],
          ["once", "session"],
          ["project", "always"],
        ).default("once"),
      )
      .addOption(revisionOption())
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
      .summary("Deny a request")
      .description("Deny a request. The agent sees the reason if it supports one.")
      .argument(...id)
      .option("--reason <text>", "What to do instead")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions & { reason?: string }) =>
          (await import("./commands/permit.ts")).permitDeny(cli, { id: target, options }),
        ),
      ),
    'drover permit deny int_01hv… --reason "use the test database"',
  );
  declareFollowUps(permit, { cli, does });
  examples(
    program
      .command("answer")
      .summary("Answer a question")
      .description(
        "Answer a question. Repeat a key to select several options; a single question needs no key.",
      )
      .argument(...id)
      .argument("<answers...>", "KEY=VALUE; the key is the question's id, header or text")
      .addOption(revisionOption())
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, pairs: string[], options: SettleOptions) =>
          (await import("./commands/permit.ts")).answer(cli, { id: target, pairs, options }),
        ),
      ),
    "drover answer int_01hv… Blue",
    "drover answer int_01hv… colors=Red colors=Blue name='the new one'",
  );
}

/** What is done about requests that expired. */
function declareFollowUps(permit: Command, { cli, does }: Actions): void {
  examples(
    permit
      .command("ask-again")
      .description("Tell the agent that its request expired, and ask it to try again.")
      .argument(...id)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions) =>
          (await import("./commands/expired.ts")).askAgain(cli, { id: target, options }),
        ),
      ),
    "drover permit ask-again int_01hv…",
  );
  examples(
    permit
      .command("dismiss")
      .description("Remove an expired request from the inbox without telling the agent.")
      .argument(...id)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (target: string, options: ServerOptions) =>
          (await import("./commands/expired.ts")).dismiss(cli, { id: target, options }),
        ),
      ),
    "drover permit dismiss int_01hv…",
  );
}
