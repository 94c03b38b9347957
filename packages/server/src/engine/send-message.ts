import { ok, type Receipt, type Rejection, type Result, reject } from "@drover/core";
import { type Receipted, StoreError } from "../ports.ts";
import type { Answer, Caller } from "../service.ts";
import type { EngineContext } from "./engine.ts";
import { hashOf } from "./ids.ts";
import type { SessionActor } from "./session-actor.ts";
import { refuseContent } from "./wishes.ts";

/** Takes a message once: the same `clientMessageId` gets the stored receipt, whatever became of the server since. */
export async function sendMessage(
  { deps }: EngineContext,
  actor: SessionActor,
  message: {
    content: string;
    clientMessageId?: string | undefined;
    disposition: "queue" | "steer";
    strict: boolean;
    caller: Caller;
  },
): Answer<Receipt> {
  const { content, clientMessageId, disposition, strict, caller } = message;
  const key = clientMessageId && `send:${actor.id}:${clientMessageId}`;
  const hash = hashOf({ content, disposition });
  const replay = async (): Promise<Result<Receipt, Rejection> | undefined> => {
    const stored = key ? await deps.store.receipt(key) : undefined;
    if (!stored) return undefined;
    if (stored.hash === hash) return ok(JSON.parse(stored.answer) as Receipt);
    return reject("IDEMPOTENCY_CONFLICT", "That clientMessageId was used for another message; use a new one");
  };
  const known = await replay();
  if (known) return known;
  const refused = refuseContent(deps, actor.journal.row.about, content);
  if (refused) return refused;
  try {
    const decided = await actor.run(
      {
        type: "send",
        content,
        by: caller.by,
        ...(caller.clientId ? { clientId: caller.clientId } : {}),
        ...(clientMessageId ? { clientMessageId } : {}),
        requested: disposition,
        strict,
      },
      key ? { receipt: (receipt): Receipted => ({ key, hash, answer: JSON.stringify(receipt) }) } : {},
    );
    if (!decided.ok) return decided;
    if (!decided.value.receipt) throw new Error("A message was decided without a receipt");
    return ok(decided.value.receipt);
  } catch (error) {
    // The same message twice at once: one of them was stored, its receipt is the answer to both.
    const stored = error instanceof StoreError && error.code === "RECEIPT_TAKEN" ? await replay() : undefined;
    if (stored) return stored;
    throw error;
  }
}
