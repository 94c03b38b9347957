import {
  type AttachedFile,
  type ContextEntry,
  ok,
  type Receipt,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import { StoreError } from "../../ports.ts";
import type { Answer, Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { hashOf } from "../ids.ts";
import type { SessionActor } from "../session/actor.ts";
import { decodeAttachments, withoutBytes } from "../turn/attach.ts";
import { asPrompt } from "../turn/attached.ts";
import { refuseMessage } from "./session-options.ts";

/** Accepts a message once: the same `clientMessageId` gets the stored receipt, even after a restart. */
export async function sendMessage(
  { deps }: EngineContext,
  actor: SessionActor,
  message: {
    content: string;
    clientMessageId?: string | undefined;
    disposition: "queue" | "steer";
    context?: readonly ContextEntry[] | undefined;
    attachments?: readonly AttachedFile[] | undefined;
    strict: boolean;
    notBefore?: string | undefined;
    caller: Caller;
  },
): Answer<Receipt> {
  const { content, clientMessageId, disposition, context, strict, notBefore, caller } = message;
  const decoded = decodeAttachments(message.attachments ?? []);
  if (!decoded.ok) return decoded;
  const files = decoded.value;
  const attached = withoutBytes(files);
  const timed = notBefore ? { notBefore } : {};
  const own = clientMessageId && {
    key: `send:${actor.id}:id:${clientMessageId}`,
    hash: hashOf({ content, ...attached, ...timed }),
  };
  const replay = async (): Promise<Result<Receipt, Rejection> | undefined> => {
    const stored = own ? await deps.store.receipt(own.key) : undefined;
    if (!own || !stored) return undefined;
    if (stored.hash === own.hash) return ok(JSON.parse(stored.answer) as Receipt);
    return reject("IDEMPOTENCY_CONFLICT", "This clientMessageId was used for another message; use a new one");
  };
  const first = await replay();
  if (first) return first;
  const refused = refuseMessage(deps, actor.journal.row, { content, ...asPrompt(files) });
  if (refused) return refused;
  // Stored before the message that needs them.
  for (const { bytes } of files) await deps.attachments.save(actor.id, bytes);
  try {
    const decided = await actor.run(
      {
        type: "send",
        content,
        by: caller.by,
        ...(caller.clientId ? { clientId: caller.clientId } : {}),
        ...(clientMessageId ? { clientMessageId } : {}),
        requested: disposition,
        ...attached,
        strict,
        ...timed,
      },
      {
        intents: [own, caller.intent].filter((intent) => !!intent),
        ...(context ? { context } : {}),
      },
    );
    if (!decided.ok) return decided;
    if (!decided.value.receipt) throw new Error("A message was decided without a receipt");
    return ok(decided.value.receipt);
  } catch (error) {
    // The same message twice at once: one of them was stored, and its receipt answers both.
    const stored = error instanceof StoreError && error.code === "RECEIPT_TAKEN" ? await replay() : undefined;
    if (stored) return stored;
    throw error;
  }
}
