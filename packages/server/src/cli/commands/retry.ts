import { randomUUID } from "node:crypto";
import type { ItemList, Receipt, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, type ExitCode, exit } from "../exit.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { clockTime } from "../view/words.ts";

export interface RetryOptions {
  readonly server?: string;
  readonly json?: boolean;
  readonly whenItResets?: boolean;
}

/** Sends the prompt of the last turn again, now or when the usage limit that ended it resets. */
export async function retry(
  cli: Cli,
  { session: name, options }: { session: string; options: RetryOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await client.get<Session>(sessionPath(await resolveSession(client, name)));
  const notBefore = options.whenItResets ? resetOf(session) : undefined;
  const receipt = await client.post<Receipt>(sessionPath(session.id, "messages"), {
    content: await lastPrompt(client, session),
    clientMessageId: randomUUID(),
    ...(notBefore ? { notBefore } : {}),
  });
  if (options.json) printJson(cli, receipt);
  else if (notBefore) say(cli, `${session.name}: sends the prompt again at ${clockTime(notBefore)}.`);
  else say(cli, `${session.name}: sent again. \`drover attach ${session.name}\` shows it.`);
  return exit.done;
}

function resetOf({ name, lastTurn }: Session): string {
  if (lastTurn?.until) return lastTurn.until;
  throw new CliError(
    exit.failed,
    `No usage limit ended the last turn of ${name}.`,
    `\`drover retry ${name}\` sends its prompt again now.`,
  );
}

/** Reads the transcript backwards: a turn may have many items after its prompt. */
async function lastPrompt(client: Client, { id, name, lastTurn }: Session): Promise<string> {
  for (let before: number | undefined, isFirst = true; lastTurn && (isFirst || before); isFirst = false) {
    const path = withQuery(sessionPath(id, "messages"), { limit: 200, before });
    const page: ItemList = await client.get<ItemList>(path);
    const prompt = page.items.find(({ kind, turnId }) => kind === "user" && turnId === lastTurn.id);
    if (prompt?.text) return prompt.text;
    before = page.before;
  }
  const next = `\`drover attach ${name}\` shows what it is doing.`;
  throw new CliError(exit.conflict, `${name} has no turn to send again.`, next);
}
