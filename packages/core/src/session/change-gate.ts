import { z } from "zod";
import { isChangeGate } from "../approval-kind.ts";
import type { TurnChanges } from "../checkpoint.ts";
import type { EventBody } from "../event.ts";
import type { DecisionContext } from "./command.ts";
import type { SessionState } from "./state.ts";

/** What a person approves when a turn has ended: everything between two checkpoints, whatever happens afterwards. */
export const gatedChangesSchema = z.object({
  /** Why the diff is not all there is, or why there is none, and how to see the rest. */
  incomplete: z.string().optional(),
  /** As git writes it. */
  diff: z.string().optional(),
  /** The commits before and after the turn; `after` is absent if that checkpoint was skipped. */
  before: z.string(),
  after: z.string().optional(),
});
export type GatedChanges = z.infer<typeof gatedChangesSchema>;

export interface ChangedTurn {
  readonly turnId: string;
  readonly changes: TurnChanges | undefined;
  readonly input: GatedChanges;
}

/** Asks a person to approve what a turn has changed. No agent waits for the answer, so there is no deadline. */
export function openChangeGate(
  { turnId, changes, input }: ChangedTurn,
  { newId, now, hash, session }: DecisionContext,
): Extract<EventBody, { type: "approval_required" }> {
  const id = newId("interaction");
  return {
    ...{ type: "approval_required", id, toolCallId: id, turnId, kind: "approval", state: "open" },
    ...{ sessionId: session.id, sessionName: session.name, agent: session.agent },
    ...{ toolName: "changes", toolKind: "changes", title: titleOf(changes), createdAt: now },
    ...{ input, inputHash: hash(input), scopes: ["once"] },
  };
}

function titleOf(changes: ChangedTurn["changes"]): string {
  if (!changes) return "Changes that Drover could not read";
  const { files, added, removed } = changes;
  if (files === 0) return "Files that checkpoints leave out";
  return `${files} ${files === 1 ? "file" : "files"} +${added} −${removed}`;
}

/** Whether the next message waits until a person has approved or denied what the last turn changed. */
export const isHeldByGate = (
  { interactions }: Pick<SessionState, "interactions">,
  { session }: Pick<DecisionContext, "session">,
): boolean => session.isGateDue === true || interactions.some(isChangeGate);
