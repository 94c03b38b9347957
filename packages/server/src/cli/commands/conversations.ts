import { resolve } from "node:path";
import type { ConversationInfo, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
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

/** What an agent remembers, made through Drover or not. */
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
    say(cli, `${agent} remembers no conversation${options.cwd === undefined ? "" : " there"}.`);
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

/** Goes on with one of them in a session, where it was had unless told otherwise. */
export async function adopt(
  cli: Cli,
  { agent, id, options }: { agent: string; id: string; options: ConversationsOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const cwd =
    options.cwd === undefined ? await whereHad(cli, client, { agent, id }) : absolute(cli, options.cwd);
  const session = await client.post<Session>("/api/sessions", { agent, cwd, agentSessionId: id });
  if (options.json) printJson(cli, session);
  else say(cli, `${session.name} has it now. \`drover logs ${session.name}\` shows what was said.`);
  return exit.done;
}

const absolute = (cli: Cli, directory: string): string => resolve(cli.settings.cwd, directory);

function list(cli: Cli, client: Client, of: { agent: string; cwd: string | undefined }): Promise<Listed> {
  const path = `/api/agents/${encodeURIComponent(of.agent)}/conversations`;
  return client.get(withQuery(path, { cwd: of.cwd === undefined ? undefined : absolute(cli, of.cwd) }));
}

async function whereHad(
  cli: Cli,
  client: Client,
  { agent, id }: { agent: string; id: string },
): Promise<string> {
  const listed = await list(cli, client, { agent, cwd: undefined });
  const found = listed.conversations.find(({ agentSessionId }) => agentSessionId === id);
  if (found) return found.cwd;
  throw new CliError(
    exit.notFound,
    `${agent} remembers no conversation ${id} in the allowed directories.`,
    `\`drover conversations ${agent}\` lists those it does.`,
  );
}
