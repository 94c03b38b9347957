import type { ConversationInfo, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { directoryOption } from "../directory.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { withQuery } from "../server/paths.ts";
import { printTable } from "../view/table.ts";
import { oneLine } from "../view/text.ts";
import { age } from "../view/words.ts";

export interface ConversationsOptions extends ServerOptions {
  readonly cwd?: string;
}

interface Listed {
  readonly conversations: readonly ConversationInfo[];
}

/** Lists an agent's conversations, including those started outside Drover. */
export async function conversations(
  cli: Cli,
  { agent, options }: { agent: string; options: ConversationsOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const listed = await list(cli, client, { agent, cwd: options.cwd });
  if (options.json) {
    printJson(cli, listed);
    return exit.done;
  }
  if (listed.conversations.length === 0) {
    say(cli, `${agent} has no conversations${options.cwd === undefined ? "" : " in this directory"}.`);
    return exit.done;
  }
  const rows = listed.conversations.map(({ agentSessionId, updatedAt, sessionId, cwd, title }) => [
    agentSessionId,
    age(updatedAt),
    sessionId ?? "-",
    `${cwd}: ${oneLine(title)}`,
  ]);
  printTable(cli.stdout, { headings: ["ID", "AGE", "SESSION", "ABOUT"], rows });
  return exit.done;
}

/** Continues a conversation in a new session, by default in the directory it was started in. */
export async function adopt(
  cli: Cli,
  { agent, id, options }: { agent: string; id: string; options: ConversationsOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const cwd =
    options.cwd === undefined
      ? await directoryOf(cli, client, { agent, id })
      : directoryOption(cli, options.cwd);
  const session = await client.post<Session>("/api/sessions", { agent, cwd, agentSessionId: id });
  if (options.json) printJson(cli, session);
  else
    say(cli, `Continued as ${session.name}. \`drover logs ${session.name}\` prints the conversation so far.`);
  return exit.done;
}

function list(cli: Cli, client: Client, of: { agent: string; cwd: string | undefined }): Promise<Listed> {
  const path = `/api/agents/${encodeURIComponent(of.agent)}/conversations`;
  return client.get(
    withQuery(path, { cwd: of.cwd === undefined ? undefined : directoryOption(cli, of.cwd) }),
  );
}

async function directoryOf(
  cli: Cli,
  client: Client,
  { agent, id }: { agent: string; id: string },
): Promise<string> {
  const listed = await list(cli, client, { agent, cwd: undefined });
  const found = listed.conversations.find(({ agentSessionId }) => agentSessionId === id);
  if (found) return found.cwd;
  throw new CliError(
    exit.notFound,
    `${agent} has no conversation ${id} in the allowed directories.`,
    `\`drover conversations ${agent}\` lists its conversations.`,
  );
}
