import type { Mergeability, Merged, Session } from "@drover/core";
import type { Cli } from "../cli.ts";
import { type ExitCode, exit } from "../exit.ts";
import type { ServerOptions } from "../options.ts";
import { printJson, say } from "../print.ts";
import { Client } from "../server/client.ts";
import { sessionPath, withQuery } from "../server/paths.ts";
import { resolveSession } from "../server/session-reference.ts";
import { untilMerged } from "../session/merging.ts";
import { awayReporter } from "../view/away.ts";
import { count } from "../view/words.ts";

export interface MergeOptions extends ServerOptions {
  readonly into?: string;
  readonly squash?: boolean;
  readonly message?: string;
  readonly dryRun?: boolean;
  /** False with --no-wait: the merge may happen later. */
  readonly wait: boolean;
}

interface MergeRequest {
  readonly session: string;
  readonly options: MergeOptions;
}

/** Merges a session's work, or with --dry-run prints what that would do. */
export async function merge(cli: Cli, { session: reference, options }: MergeRequest): Promise<ExitCode> {
  const client = await Client.connect(cli, { server: options.server, onAway: awayReporter(cli) });
  const session = await resolveSession(client, reference);
  if (options.dryRun) return tryMerge(cli, client, { session, options });
  const { id, lastSeq } = await client.get<Session>(sessionPath(session));
  const { into, message } = options;
  const strategy = options.squash ? "squash" : "merge";
  const merged = await client.post<Merged>(sessionPath(session, "merge"), { into, strategy, message });
  if (merged.commit !== undefined) return report(cli, merged, { session, options });
  if (!options.wait) {
    if (options.json) printJson(cli, merged);
    else
      say(
        cli,
        `${session} will be merged into ${merged.into}. \`drover review ${session}\` shows how far it is.`,
      );
    return exit.done;
  }
  say(cli, `${session} will be merged into ${merged.into} after its checks and earlier merges.`);
  const review = await untilMerged(cli, client, { sessionId: id, after: lastSeq });
  const { mergedAs } = review;
  const commit = review.state === "merged" && mergedAs !== undefined ? { commit: mergedAs } : {};
  return report(cli, { into: merged.into, ...commit, review }, { session, options });
}

/** Prints the result: without a commit, the checks have failed. */
function report(cli: Cli, merged: Merged, { session, options }: MergeRequest): ExitCode {
  const { commit, into } = merged;
  if (options.json) printJson(cli, merged);
  else if (commit !== undefined) say(cli, `Merged ${session} into ${into} as ${commit.slice(0, 10)}.`);
  else
    say(
      cli,
      `Not merged: the checks failed. The agent has their output; \`drover wait ${session}\` waits for it.`,
    );
  return commit === undefined ? exit.failed : exit.done;
}

async function tryMerge(cli: Cli, client: Client, { session, options }: MergeRequest): Promise<ExitCode> {
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
