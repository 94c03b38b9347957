import { createStore, useStore } from "./store.ts";

const key = (sessionId: string) => `drover:draft:${sessionId}`;

/** Counts changes, so that a composer on the screen sees words put back from elsewhere on the page. */
const changes = createStore(0);

/** What somebody has begun to write to a session; it survives a reload and a look at another session. */
export function saveDraft(sessionId: string, text: string): void {
  if (text === "") localStorage.removeItem(key(sessionId));
  else localStorage.setItem(key(sessionId), text);
  changes.set(changes.get() + 1);
}

export function useDraft(sessionId: string): string {
  return useStore(changes, () => localStorage.getItem(key(sessionId)) ?? "");
}
