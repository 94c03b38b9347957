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
  readonly worktree?: boolean;
}

/** Starts a new session from a point in another one. */
export async function fork(
  cli: Cli,
  { session, options }: { session: string; options: ForkOptions },
): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const { at, title } = options;
  const original = await resolveSession(client, session);
  const where = options.worktree ? { workspace: "worktree" } : {};
  const copy = await client.post<Session>(sessionPath(original, "fork"), { at, title, ...where });
  if (options.json) printJson(cli, copy);
  else
    say(
      cli,
      `Created ${copy.name} from ${session}${options.worktree ? ` in ${copy.workspace.path}` : ""}. \`drover send ${copy.name} "…" --wait\` continues it.`,
    );
  return exit.done;
}
