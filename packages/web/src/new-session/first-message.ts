import { type Attached, detach, moveAttached } from "../attachments/attached.ts";
import type { Outbox } from "../state/outbox.ts";
import { randomId } from "../storage/random.ts";

/** The key of the draft for a new session's prompt, and of its attached files. */
export const draftOfNew = "new";

interface FirstMessage {
  readonly sessionId: string;
  readonly content: string;
  readonly files: readonly Attached[];
}

/** Sends the first message of a session. Files that can't be sent move to its composer, and the session says why. */
export async function sendFirst(outbox: Outbox, { sessionId, content, files }: FirstMessage): Promise<void> {
  if (files.length === 0) {
    if (content.trim() !== "") outbox.send(sessionId, content);
    return;
  }
  const message = { sessionId, content, clientMessageId: randomId() };
  const sent = await outbox.sendWith(files, message);
  if (!sent.ok) {
    moveAttached(draftOfNew, sessionId);
    outbox.restore({ ...message, at: Date.now(), problem: sent.error });
  }
  detach(
    draftOfNew,
    files.map(({ key }) => key),
  );
}
