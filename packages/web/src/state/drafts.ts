import { browserShelf } from "./storage.ts";
import { createStore, useStore } from "./store.ts";

const key = (sessionId: string) => `drover:draft:${sessionId}`;

/** Counts changes, so that a composer on the screen sees words put back from elsewhere on the page. */
const changes = createStore(0);

/** What somebody has begun to write to a session; it survives a reload and a look at another session. */
export function saveDraft(sessionId: string, text: string): void {
  browserShelf.write(key(sessionId), text === "" ? undefined : text);
  changes.set(changes.get() + 1);
}

/** Words that come back to whom they belong: in front of what they have begun to write since. */
export function putBack(sessionId: string, text: string): void {
  const begun = readDraft(sessionId);
  saveDraft(sessionId, begun.trim() === "" ? text : `${text}\n\n${begun}`);
}

export function useDraft(sessionId: string): string {
  return useStore(changes, () => readDraft(sessionId));
}

export const readDraft = (sessionId: string): string => browserShelf.read(key(sessionId)) ?? "";
