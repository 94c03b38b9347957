import type { Command } from "commander";
import type { ConversationsOptions } from "./commands/conversations.ts";
import type { ForkOptions } from "./commands/fork.ts";
import { type Actions, examples, jsonOption, readInteger, serverOption } from "./declare.ts";

/** Commands about where a conversation goes on: beside itself, or here instead of elsewhere. */
export function declareConversationCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("fork")
      .summary("go on from a point of a session in a new one")
      .description(
        "Makes a session that knows what was said in another one, all of it or up to an event, and goes on from " +
          "there. The other one stays as it is. A turn that still runs is left out.",
      )
      .argument("<session>", "its name or id")
      .option(
        "--at <seq>",
        "the last event to keep; `drover logs NAME --json` shows each item's seq",
        readInteger,
      )
      .option("--title <title>", 'call it that (default: the other one\'s title and "(fork)")')
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: ForkOptions) =>
          (await import("./commands/fork.ts")).fork(cli, { session, options }),
        ),
      ),
    "drover fork brave-otter",
    'drover fork brave-otter --at 42 --title "without the rewrite"',
    "drover logs brave-otter --json | jq '.items[] | {seq, text}'",
  );

  const where = ["--cwd <directory>", "of this directory (default: of all allowed ones)"] as const;
  examples(
    program
      .command("conversations")
      .summary("list what an agent remembers")
      .description(
        "Lists the conversations an agent remembers, those had without Drover included; SESSION is the session " +
          "that has it. `drover adopt` goes on with one.",
      )
      .argument("<agent>", "which agent; `drover agents` lists them")
      .option(...where)
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (agent: string, options: ConversationsOptions) =>
          (await import("./commands/conversations.ts")).conversations(cli, { agent, options }),
        ),
      ),
    "drover conversations claude",
    "drover conversations claude --cwd . --json | jq -r '.conversations[].agentSessionId'",
  );

  examples(
    program
      .command("adopt")
      .summary("go on with a conversation had without Drover")
      .description(
        "Makes a session of a conversation that an agent remembers: what was said is shown, and the next message " +
          "goes on with it.",
      )
      .argument("<agent>", "which agent; `drover agents` lists them")
      .argument("<id>", "the conversation; `drover conversations AGENT` lists them")
      .option("--cwd <directory>", "where it was had (default: where the agent says)")
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (agent: string, id: string, options: ConversationsOptions) =>
          (await import("./commands/conversations.ts")).adopt(cli, { agent, id, options }),
        ),
      ),
    "drover adopt claude 5a31113c-4de1-4c1d-9cea-7c8d0301fcf1",
  );
}
