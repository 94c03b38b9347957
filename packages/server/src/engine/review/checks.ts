import { join, relative } from "node:path";
import { type Rejection, type Review, shellWord, withTrust } from "@drover/core";
import type { CommandEnd, PendingMerge } from "../../ports.ts";
import { programOf } from "../agent/program-of.ts";
import type { EngineContext } from "../context.ts";
import type { SessionActor } from "../session/actor.ts";
import { mergeSpecOf } from "./merge-session.ts";
import { noReview, type Reviewed } from "./review-place.ts";

export type Checked =
  /** `tree`: what was checked; absent if there are no checks. */
  | { readonly result: "passed"; readonly tree?: string }
  | { readonly result: "rejected"; readonly rejection: Rejection }
  /** The agent got the output of a check that failed; or the server is shutting down, and the next one checks again. */
  | { readonly result: "over" };

export interface Checking {
  readonly reviewed: Reviewed;
  readonly pending: PendingMerge;
  /** Aborts with a rejection if the merge is off. */
  readonly cancelled: AbortSignal;
}

/** Processes of checks carry this mark: they belong to no agent, and are not people either. */
const checkMark = (sessionId: string): string => `${sessionId}-checks`;

/**
 * Runs a project's checks on the result of a merge, in a directory of their own. If one fails, the merge is off, and the
 * agent gets the output.
 */
export async function runChecks(context: EngineContext, checking: Checking): Promise<Checked> {
  const { deps } = context;
  const { reviewed, pending, cancelled } = checking;
  const { actor, checks, place } = reviewed;
  if (checks.length === 0) return { result: "passed" };
  // A server that was killed may have left some of them running.
  await deps.sweep(checkMark(actor.id));
  const made = await deps.merges.checkOut(place, mergeSpecOf(reviewed, pending));
  if (!made.ok) return { result: "rejected", rejection: made.error };
  const { tree, directory } = made.value;
  try {
    for (const argv of checks) {
      const command = argv.map(shellWord).join(" ");
      if (!(await made.value.isInPlace())) return { result: "rejected", rejection: replaced(directory) };
      await report(actor, { state: "running", command });
      const end = await runCheck(context, checking, { argv, directory });
      if (context.stopping.aborted) return { result: "over" };
      if (cancelled.aborted) return { result: "rejected", rejection: cancelled.reason as Rejection };
      if (end.exit === 0) continue;
      await fail(actor, { command, end });
      return { result: "over" };
    }
    const command = checks.map((argv) => argv.map(shellWord).join(" ")).join("; ");
    await report(actor, { state: "passed", command });
    return { result: "passed", tree };
  } finally {
    await deps.sweep(checkMark(actor.id));
    await made.value.remove().catch((error: unknown) => {
      deps.logger.warn("Could not remove the files of checks", { path: directory, error: String(error) });
    });
  }
}

const replaced = (directory: string): Rejection => ({
  code: "MERGE_REFUSED",
  message: `Something removed or replaced ${directory} while the checks ran there; find out what, then merge again`,
  facts: { reason: "links" },
});

async function runCheck(
  { deps, projects, stopping }: EngineContext,
  { reviewed: { actor, place }, cancelled }: Checking,
  { argv, directory }: { readonly argv: readonly string[]; readonly directory: string },
): Promise<CommandEnd> {
  const project = await projects.current(actor.journal.row);
  const preset = withTrust(programOf(actor.log).preset, project?.trusted ?? false);
  const sessionId = checkMark(actor.id);
  const { workspace } = place;
  const env = deps.environment({ preset, sessionId, project: project?.env, workspace });
  const top = workspace.repository?.top;
  // A project may be a part of its repository.
  const below = project && top !== undefined ? relative(top, project.path) : "";
  return deps.runCommand({
    ...{ sessionId, argv, cwd: below.startsWith("..") ? directory : join(directory, below) },
    directory: deps.checkDirectory(actor.id),
    // Without this, git would find the user's own checkout above.
    env: { ...env, GIT_CEILING_DIRECTORIES: `${directory}/..` },
    timeoutMs: deps.settings.checkTimeoutMs,
    stopGraceMs: deps.settings.supervision.stopGraceMs,
    signal: AbortSignal.any([stopping, cancelled]),
    started: async () => undefined,
  });
}

const report = ({ log, journal }: SessionActor, checks: NonNullable<Review["checks"]>): Promise<void> =>
  log.untilStored(() =>
    log.commit({
      events: [{ type: "review", ...(journal.state.review ?? noReview), checks }],
      durability: "output",
    }),
  );

/** The merge is off, and the agent gets the output as its next message: both are stored at once. */
async function fail(
  { log, journal }: SessionActor,
  { command, end }: { readonly command: string; readonly end: CommandEnd },
): Promise<void> {
  const how = end.exit === null ? (end.reason ?? "It was killed") : `It exited with ${end.exit}`;
  const content = [
    `The work could not be merged: the check \`${command}\` failed on the merged files. ${how}. The end of its output:`,
    fenced(end.tail),
    "Fix this.",
  ].join("\n\n");
  await log.untilStored(async () => {
    const review = {
      ...{
        type: "review" as const,
        ...(journal.state.review ?? noReview),
        state: "changes_requested" as const,
      },
      checks: { state: "failed" as const, command, reason: how, tail: end.tail },
    };
    const change = { events: [review], runtime: { merge: null } };
    const message = {
      type: "send" as const,
      content,
      by: "server",
      requested: "queue" as const,
      strict: false,
    };
    const sent = await log.perform(message, change);
    if (!sent.ok) await log.commit({ ...change, durability: "command" });
  });
}

/** A fence that the text does not contain. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
