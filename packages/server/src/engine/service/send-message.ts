import { type ContextEntry, ok, type Receipt, type Rejection, type Result, reject } from "@drover/core";
import { type Receipted, StoreError } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { hashOf } from "../ids.ts";
import type { SessionActor } from "../session/actor.ts";
import { refuseContent } from "./session-options.ts";

/**
 * Takes a message once: the same `clientMessageId`, or without one the same intent, gets the stored receipt, whatever
 * became of the server since.
 */
export async function sendMessage(
  { deps }: EngineContext,
  actor: SessionActor,
  message: {
    content: string;
    clientMessageId?: string | undefined;
    intent?: string | undefined;
    disposition: "queue" | "steer";
    context?: readonly ContextEntry[] | undefined;
    strict: boolean;
    caller: Caller;
  },
): Answer<Receipt> {
  const { content, clientMessageId, intent, disposition, context, strict, caller } = message;
  const known = clientMessageId ? `id:${clientMessageId}` : intent;
  const key = known && `send:${actor.id}:${known}`;
  const hash = hashOf({ content });
  const replay = async (): Promise<Result<Receipt, Rejection> | undefined> => {
    const stored = key ? await deps.store.receipt(key) : undefined;
    if (!stored) return undefined;
    if (stored.hash === hash) return ok(JSON.parse(stored.answer) as Receipt);
    return reject("IDEMPOTENCY_CONFLICT", "That clientMessageId was used for another message; use a new one");
  };
  const first = await replay();
  if (first) return first;
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
      {
        ...(key ? { receipt: (receipt): Receipted => ({ key, hash, answer: JSON.stringify(receipt) }) } : {}),
        ...(context ? { context } : {}),
      },
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
