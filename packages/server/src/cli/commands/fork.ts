import type { Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";

export interface ForkOptions extends ServerOptions {
  readonly at?: number;
  readonly title?: string;
}

/** A session that goes on from a point of another one. */
export async function fork(
  cli: Cli,
  { session, options }: { session: string; options: ForkOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { at, title } = options;
  const original = await resolveSession(client, session);
  const made = await client.post<Session>(sessionPath(original, "fork"), { at, title });
  if (options.json) printJson(cli, made);
  else say(cli, `${made.name} goes on from ${session}. \`drover send ${made.name} "…" --wait\` talks to it.`);
  return exit.done;
}
