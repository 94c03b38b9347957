import { createStore, useStore } from "../state/store.ts";
import { browserStorage, tabStorage } from "./storage.ts";

const prefix = "drover:draft:";
const key = (sessionId: string) => `${prefix}${sessionId}`;

/** Counts changes, so that the composer sees drafts that change elsewhere on the page. */
const changes = createStore(0);
const notify = () => changes.set(changes.get() + 1);
addEventListener("storage", (event) => {
  if (event.key?.startsWith(prefix)) notify();
});

/**
 * An unsent message to a session. It survives a reload, navigation and closing the tab. A tab with its own draft keeps
 * it, whatever is written to the same session in another tab.
 */
export function saveDraft(sessionId: string, text: string): void {
  const before = readDraft(sessionId);
  tabStorage.write(key(sessionId), text);
  if (text !== "") browserStorage.write(key(sessionId), text);
  else if (browserStorage.read(key(sessionId)) === before) browserStorage.write(key(sessionId), undefined);
  notify();
}

/** Puts an unsent message back into the draft, before anything written since. */
export function putBack(sessionId: string, text: string): void {
  const draft = readDraft(sessionId);
  saveDraft(sessionId, draft.trim() === "" ? text : `${text}\n\n${draft}`);
}

export function useDraft(sessionId: string): string {
  return useStore(changes, () => readDraft(sessionId));
}

export const readDraft = (sessionId: string): string =>
  tabStorage.read(key(sessionId)) ?? browserStorage.read(key(sessionId)) ?? "";
