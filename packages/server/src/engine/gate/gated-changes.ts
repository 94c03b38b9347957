import {
  type ChangedFile,
  type EventBody,
  type GatedChanges,
  openChangeGate,
  type SkippedFile,
  summarize,
} from "@drover/core";
import { CheckpointError, type CheckpointPair } from "../../ports.ts";
import { namesOf } from "../checkpoints/notices.ts";
import type { SessionLog } from "../session/log.ts";

/** More than people read in one go, and little enough to be sent with every list of open requests. */
const maxDiff = 256 * 1024;

interface GatedTurn extends CheckpointPair {
  readonly turnId: string;
  readonly files: readonly ChangedFile[];
  /** Files that are there since the turn, but in no checkpoint. */
  readonly unseen: readonly SkippedFile[];
}

/** The event that asks a person to approve what a turn has changed: the diff, or as much of it as fits. */
export async function gateFor(
  log: SessionLog,
  { turnId, files, unseen, before, after }: GatedTurn,
): Promise<readonly EventBody[]> {
  if (files.length === 0 && unseen.length === 0) return [];
  const read = await readDiff(log, { before, after });
  const whole = `\`drover diff ${log.journal.row.name} --turn ${turnId}\``;
  const missing = [
    ...(read?.isCut ? [`This is the beginning of the diff. All of it: ${whole}.`] : []),
    ...(read ? [] : [`git could not write the diff in time. Try ${whole}.`]),
    ...(unseen.length === 0
      ? []
      : [
          `Not shown, and not put back by a denial: ${namesOf(unseen)}. Look at them before you approve this.`,
        ]),
  ];
  const input: GatedChanges = {
    ...(missing.length > 0 ? { incomplete: missing.join(" ") } : {}),
    ...(read ? { diff: read.text } : {}),
    ...{ before, after },
  };
  return [openChangeGate({ turnId, changes: summarize(files), input }, log.decisionContext())];
}

/** The same for a turn whose last checkpoint was skipped. */
export function unknownGate(
  log: SessionLog,
  { turnId, before }: Pick<GatedTurn, "turnId" | "before">,
): EventBody {
  const incomplete =
    "git could not read the files in time, so Drover does not know what this turn changed. Look at the worktree before you approve it. Denying tries again, and puts back everything that has changed since the turn began.";
  const changed = { turnId, changes: undefined, input: { incomplete, before } };
  return openChangeGate(changed, log.decisionContext());
}

interface DiffText {
  readonly text: string;
  readonly isCut: boolean;
}

/** Undefined if git fails: what the turn changed can be approved without. */
async function readDiff(
  { deps: { checkpoints }, journal }: SessionLog,
  pair: CheckpointPair,
): Promise<DiffText | undefined> {
  const { id: sessionId, cwd } = journal.row;
  try {
    const diff = await checkpoints.diff({ sessionId, cwd }, pair);
    if (!diff.ok) return undefined;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of diff.value) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxDiff) break;
    }
    const text = Buffer.concat(chunks).toString("utf8");
    if (size <= maxDiff) return { text, isCut: false };
    // At a whole line, so that no line is shown as something it is not.
    return { text: text.slice(0, text.lastIndexOf("\n", maxDiff) + 1), isCut: true };
  } catch (error) {
    if (error instanceof CheckpointError) return undefined;
    throw error;
  }
}
