import type { Command } from "commander";
import type { ConversationsOptions } from "./commands/conversations.ts";
import type { ForkOptions } from "./commands/fork.ts";
import { type Actions, examples, jsonOption, readInteger, serverOption, sessionArgument } from "./declare.ts";

const agentArgument = ["<agent>", "Agent; `drover agents` lists them"] as const;

/** Commands that continue a conversation in another session. */
export function declareConversationCommands(program: Command, { cli, does }: Actions): void {
  examples(
    program
      .command("fork")
      .summary("Start a new session from a point in another")
      .description(
        "Start a new session with the conversation of another one, up to its end or to an event. The other session is " +
          "not changed, and a turn that is still running is left out.",
      )
      .argument(...sessionArgument)
      .option(
        "--at <seq>",
        "Last event to keep; `drover logs NAME --json` shows each item's seq",
        readInteger,
      )
      .option("--worktree", "Work in a new git worktree, with the files as they were at that point")
      .option("--title <title>", 'Title of the new session (default: the other title and "(fork)")')
      .addOption(jsonOption())
      .addOption(serverOption())
      .action(
        does(async (session: string, options: ForkOptions) =>
          (await import("./commands/fork.ts")).fork(cli, { session, options }),
        ),
      ),
    "drover fork brave-otter",
    "drover fork brave-otter --at 42 --worktree",
    'drover fork brave-otter --at 42 --title "without the rewrite"',
    "drover logs brave-otter --json | jq '.items[] | {seq, text}'",
  );

  examples(
    program
      .command("conversations")
      .summary("List an agent's conversations")
      .description(
        "List an agent's conversations, including those started outside Drover. SESSION is the session a conversation " +
          "belongs to. `drover adopt` continues one.",
      )
      .argument(...agentArgument)
      .option("--cwd <directory>", "Only conversations in this directory")
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
      .summary("Continue a conversation started outside Drover")
      .description(
        "Start a session from an agent's conversation. The transcript is shown, and the next message continues it.",
      )
      .argument(...agentArgument)
      .argument("<id>", "Conversation; `drover conversations AGENT` lists them")
      .option("--cwd <directory>", "Directory of the conversation (default: the one the agent reports)")
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
