import type { EventBody } from "../event.ts";
import type { NewProposals, Proposal } from "./proposal.ts";
import { countIn, type ProposalDraft, withoutRepeats } from "./proposal-file.ts";

interface Run {
  readonly sessionId: string;
  readonly run: number;
  readonly now: string;
  readonly newId: () => string;
  /** The session's proposals so far. */
  readonly earlier: readonly Proposal[];
}

/** What a run with a signal leaves: its own proposals, in place of those of earlier runs. Undefined if nothing changes. */
export function proposalsOfRun(
  drafts: readonly ProposalDraft[],
  { sessionId, run, now: createdAt, newId, earlier }: Run,
): { readonly proposals: NewProposals; readonly event: EventBody } | undefined {
  const added = withoutRepeats(drafts).map((draft) => ({
    ...draft,
    ...{ id: newId(), sessionId, run, createdAt },
  }));
  const superseded = earlier.filter(({ state }) => state === "open").map(({ id }) => id);
  if (added.length === 0 && superseded.length === 0) return undefined;
  const event: EventBody = {
    ...{ type: "proposals_created", run },
    open: countIn(added, "open"),
    superseded: countIn(added, "superseded") + superseded.length,
    invalid: countIn(added, "invalid"),
  };
  return { proposals: { added, superseded }, event };
}
