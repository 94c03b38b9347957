import { isChangeGate, type Rejection } from "@drover/core";
import type { SessionRow } from "../../ports.ts";

type Gated = Pick<SessionRow, "runtime" | "state">;

interface Refusal {
  readonly ok: false;
  readonly error: Rejection;
}

/** Drover is finding out what the last turn changed, to ask a person for approval. */
export const isGateDue = ({ runtime: { checkpoint }, state: { turn } }: Gated): boolean =>
  checkpoint?.isGated === true && checkpoint.turnId !== turn?.id;

export const openGateOf = ({ state }: Pick<SessionRow, "state">) => state.interactions.find(isChangeGate);

/** Refuses to pass on what nobody has approved yet. `next`: what the caller wants to do then. */
export function refuseGated(row: Gated, next: string): Refusal | undefined {
  const gate = openGateOf(row);
  if (gate) {
    const { id: interactionId, title } = gate;
    const message = `What the last turn changed (${title}) is not approved yet; look at it with \`drover permit show ${interactionId}\`, decide, then ${next}`;
    return refuse(message, { interactionId });
  }
  if (!isGateDue(row)) return undefined;
  const message = `Drover is finding out what the last turn changed, so that you can approve it; wait for that, then ${next}`;
  return refuse(message);
}

const refuse = (message: string, facts: { readonly interactionId?: string } = {}): Refusal => ({
  ok: false,
  error: { code: "MERGE_REFUSED", message, facts: { reason: "gate", ...facts } },
});
