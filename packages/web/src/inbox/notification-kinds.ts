import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

export const notificationKinds = {
  request: "An agent needs you",
  review: "Work is ready for review",
  finished: "A turn finished",
  failed: "A turn failed",
} as const;
export type NotificationKind = keyof typeof notificationKinds;

const storageKey = "drover:notifications-off";

/** The kinds that are turned off in this browser. */
const off = createStore<readonly string[]>(read());

function read(): readonly string[] {
  return browserStorage.read(storageKey)?.split(" ").filter(Boolean) ?? [];
}

/** Reads the stored choice: it may have been changed in another tab. */
export const wantsKind = (kind: NotificationKind): boolean => !read().includes(kind);

export function chooseKind(kind: NotificationKind, wanted: boolean): void {
  const others = read().filter((one) => one !== kind);
  browserStorage.write(storageKey, (wanted ? others : [...others, kind]).join(" "));
  off.set(read());
}

export const useKindsOff = (): readonly string[] => useStore(off, (now) => now);
