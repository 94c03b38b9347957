import type { Updated } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { count } from "../view/words.ts";

export interface UpdateOptions extends ServerOptions {
  readonly from?: string;
  readonly ask?: boolean;
}

/** Brings the commits of another branch into a session's. */
export async function update(
  cli: Cli,
  { session: reference, options }: { readonly session: string; readonly options: UpdateOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await resolveSession(client, reference);
  const { from, ask = false } = options;
  const updated = await client.post<Updated>(sessionPath(session, "update"), { from, ask });
  const { conflicts } = updated;
  if (options.json) printJson(cli, updated);
  else if (conflicts.length === 0) say(cli, `${session} has all of ${updated.from} now.`);
  else {
    say(cli, `${count(conflicts.length, "file")} of ${session} conflict with ${updated.from}:`);
    cli.stdout.lines(conflicts);
    say(cli, next(session, ask));
  }
  return conflicts.length > 0 && !ask ? exit.conflict : exit.done;
}

const next = (session: string, ask: boolean): string =>
  ask
    ? `The agent was asked to resolve them. \`drover wait ${session}\` waits until it is done.`
    : "Remove the conflict markers, or ask the agent to. After that, Drover commits the files.";
