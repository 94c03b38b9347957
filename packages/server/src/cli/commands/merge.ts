import type { Mergeability } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { count } from "../view/words.ts";

export interface MergeOptions extends ServerOptions {
  readonly dryRun: true;
  readonly into?: string;
}

interface MergeRequest {
  readonly session: string;
  readonly options: MergeOptions;
}

/** Prints what merging a session's work would do. */
export async function merge(cli: Cli, { session: reference, options }: MergeRequest): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server });
  const session = await resolveSession(client, reference);
  const path = withQuery(sessionPath(session, "merge"), { into: options.into });
  const found = await client.get<Mergeability>(path);
  if (options.json) printJson(cli, found);
  else cli.stdout.lines(describe(session, found));
  const isFree = found.mergeable && !found.checkout?.inTheWay.length;
  return isFree ? exit.done : exit.conflict;
}

function describe(session: string, { into, conflicts, ahead, behind, checkout }: Mergeability): string[] {
  if (ahead === 0) return [`${session} has nothing to merge into ${into}.`];
  const inTheWay = checkout?.inTheWay ?? [];
  const distance = `${count(ahead, "commit")} ahead, ${behind} behind`;
  const summary =
    conflicts.length === 0
      ? `${session} merges into ${into} without conflicts (${distance}).`
      : `${session} conflicts with ${into} in ${count(conflicts.length, "file")} (${distance}):`;
  const blocked = `${count(inTheWay.length, "file")} in ${checkout?.path}, where ${into} is checked out, would be in the way:`;
  return [summary, ...listed(conflicts), ...(inTheWay.length > 0 ? [blocked, ...listed(inTheWay)] : [])];
}

const listed = (paths: readonly string[]): string[] => paths.map((path) => `  ${path}`);
