import { type Rejection, type Review, shellWord, withTrust } from "@drover/core";
import type { CommandEnd, PendingMerge } from "../../ports.ts";
import { programOf } from "../agent/program-of.ts";
import type { EngineContext } from "../context.ts";
import type { SessionActor } from "../session/actor.ts";
import { forgetMerge, wishOf } from "./merge-session.ts";
import { noReview, type Reviewed } from "./review-place.ts";

export type Checked =
  /** `tree`: what was checked; absent if there are no checks. */
  | { readonly result: "passed"; readonly tree?: string }
  /** The agent knows. */
  | { readonly result: "failed" }
  | { readonly result: "rejected"; readonly rejection: Rejection };

/** Processes of checks carry this mark: they belong to no agent, and are not people either. */
export const checkMark = (sessionId: string): string => `${sessionId}-checks`;

/**
 * Runs a project's checks on the result of a merge, in a directory of their own. If one fails, the merge is off, and the
 * agent gets the output.
 */
export async function runChecks(
  context: EngineContext,
  reviewed: Reviewed,
  pending: PendingMerge,
): Promise<Checked> {
  const { deps } = context;
  const { actor, checks, place } = reviewed;
  if (checks.length === 0) return { result: "passed" };
  // A server that was killed may have left some of them running.
  await deps.sweep(checkMark(actor.id));
  const made = await deps.merges.checkOut(place, wishOf(reviewed, pending));
  if (!made.ok) return { result: "rejected", rejection: made.error };
  const { tree, directory } = made.value;
  try {
    for (const argv of checks) {
      const command = argv.map(shellWord).join(" ");
      await report(actor, { state: "running", command });
      const end = await runCheck(context, reviewed, { argv, directory });
      if (end.exit === 0) continue;
      await fail(context, reviewed, { command, end });
      return { result: "failed" };
    }
    await report(actor, {
      state: "passed",
      command: checks.map((argv) => argv.map(shellWord).join(" ")).join("; "),
    });
    return { result: "passed", tree };
  } finally {
    await deps.sweep(checkMark(actor.id));
    await made.value.remove();
  }
}

async function runCheck(
  { deps, projects, stopping }: EngineContext,
  { actor, place }: Reviewed,
  { argv, directory }: { readonly argv: readonly string[]; readonly directory: string },
): Promise<CommandEnd> {
  const { row } = actor.journal;
  const project = await projects.current(row);
  const preset = withTrust(programOf(actor.log).preset, project?.trusted ?? false);
  const sessionId = checkMark(actor.id);
  const { workspace } = place;
  const env = deps.environment({ preset, sessionId, project: project?.env, workspace });
  return deps.runCommand({
    ...{ sessionId, argv, cwd: directory, directory: deps.checkDirectory(actor.id) },
    // Without this, git would find the user's own checkout above.
    env: { ...env, GIT_CEILING_DIRECTORIES: `${directory}/..` },
    timeoutMs: deps.settings.checkTimeoutMs,
    stopGraceMs: deps.settings.supervision.stopGraceMs,
    signal: stopping,
    started: async () => undefined,
  });
}

async function report({ log, journal }: SessionActor, checks: NonNullable<Review["checks"]>): Promise<void> {
  await log.untilStored(() =>
    log.commit({
      events: [{ type: "review", ...(journal.state.review ?? noReview), checks }],
      durability: "output",
    }),
  );
}

/** The agent gets the output as its next message. */
async function fail(
  context: EngineContext,
  reviewed: Reviewed,
  { command, end }: { readonly command: string; readonly end: CommandEnd },
): Promise<void> {
  const { actor } = reviewed;
  if (context.stopping.aborted) return;
  await report(actor, { state: "failed", command, tail: end.tail });
  await forgetMerge(reviewed);
  await actor.log.untilStored(() =>
    actor.log.commit({
      events: [{ type: "review", ...(actor.journal.state.review ?? noReview), state: "changes_requested" }],
      durability: "command",
    }),
  );
  const how = end.exit === null ? (end.reason ?? "It was killed") : `It exited with ${end.exit}`;
  const content = [
    `The work could not be merged: the check \`${command}\` failed on the merged files. ${how}. The end of its output:`,
    fenced(end.tail),
    "Fix this.",
  ].join("\n\n");
  await actor.run({ type: "send", content, by: "server", requested: "queue", strict: false });
}

/** A fence that the text does not contain. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
