import { createStore, useStore } from "../state/store.ts";
import { browserStorage, tabStorage } from "./storage.ts";

const prefix = "drover:draft:";
const key = (sessionId: string) => `${prefix}${sessionId}`;

/** Counts changes, so that a composer on the screen sees words put back from elsewhere on the page. */
const changes = createStore(0);
const tell = () => changes.set(changes.get() + 1);
addEventListener("storage", (event) => {
  if (event.key?.startsWith(prefix)) tell();
});

/**
 * An unsent message to a session. It survives a reload, a look at another session, and the end of the
 * tab. A tab in which somebody has written keeps to its own words, whatever is written to the same session in another.
 */
export function saveDraft(sessionId: string, text: string): void {
  const before = readDraft(sessionId);
  tabStorage.write(key(sessionId), text);
  if (text !== "") browserStorage.write(key(sessionId), text);
  else if (browserStorage.read(key(sessionId)) === before) browserStorage.write(key(sessionId), undefined);
  tell();
}

/** Puts words that were not sent back into the draft, before anything written since. */
export function putBack(sessionId: string, text: string): void {
  const draft = readDraft(sessionId);
  saveDraft(sessionId, draft.trim() === "" ? text : `${text}\n\n${draft}`);
}

export function useDraft(sessionId: string): string {
  return useStore(changes, () => readDraft(sessionId));
}

export const readDraft = (sessionId: string): string =>
  tabStorage.read(key(sessionId)) ?? browserStorage.read(key(sessionId)) ?? "";
