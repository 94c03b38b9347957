import { createStore, useStore } from "../state/store.ts";
import { browserShelf, tabShelf } from "./storage.ts";

const prefix = "drover:draft:";
const key = (sessionId: string) => `${prefix}${sessionId}`;

/** Counts changes, so that a composer on the screen sees words put back from elsewhere on the page. */
const changes = createStore(0);
const tell = () => changes.set(changes.get() + 1);
addEventListener("storage", (event) => {
  if (event.key?.startsWith(prefix)) tell();
});

/**
 * What somebody has begun to write to a session; it survives a reload, a look at another session, and the end of the
 * tab. A tab in which somebody has written keeps to its own words, whatever is written to the same session in another.
 */
export function saveDraft(sessionId: string, text: string): void {
  const before = readDraft(sessionId);
  tabShelf.write(key(sessionId), text);
  if (text !== "") browserShelf.write(key(sessionId), text);
  else if (browserShelf.read(key(sessionId)) === before) browserShelf.write(key(sessionId), undefined);
  tell();
}

/** Words that come back to whom they belong: in front of what they have begun to write since. */
export function putBack(sessionId: string, text: string): void {
  const begun = readDraft(sessionId);
  saveDraft(sessionId, begun.trim() === "" ? text : `${text}\n\n${begun}`);
}

export function useDraft(sessionId: string): string {
  return useStore(changes, () => readDraft(sessionId));
}

export const readDraft = (sessionId: string): string =>
  tabShelf.read(key(sessionId)) ?? browserShelf.read(key(sessionId)) ?? "";
