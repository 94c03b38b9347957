import type { Interaction } from "@drover/core";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import type { Inbox } from "../state/inbox.ts";
import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

/** `unasked` until the person has decided; `blocked` if the browser denies permission. */
export type NotificationChoice = "unasked" | "on" | "off" | "blocked" | "impossible";

const storageKey = "drover:notifications";
/**
 * Notifications need a secure context. On phones they also need a service worker, which this page does not have.
 */
const canNotify = "Notification" in window && !/Android|iPhone|iPad|iPod/.test(navigator.userAgent);

const choice = createStore<NotificationChoice>(read());

function read(): NotificationChoice {
  if (!canNotify) return "impossible";
  if (Notification.permission === "denied") return "blocked";
  const stored = browserStorage.read(storageKey);
  if (stored === "off") return "off";
  return stored === "on" && Notification.permission === "granted" ? "on" : "unasked";
}

/** Call this only from a click: browsers require a user gesture. */
export async function turnOnNotifications(): Promise<void> {
  browserStorage.write(storageKey, "on");
  await Notification.requestPermission();
  choice.set(read());
}

export function turnOffNotifications(): void {
  browserStorage.write(storageKey, "off");
  choice.set(read());
}

export function useNotificationChoice(): NotificationChoice {
  return useStore(choice, (now) => now);
}

/** Notifies the person of new requests while no tab of Drover has focus. */
export function notifyOf(inbox: Inbox): void {
  const shown = new Map<string, Notification>();
  const isAnyLookedAt = watchTabs();
  const isOpen = (id: string) => inbox.state.get().open.some((one) => one.id === id);
  inbox.onOpened(async (interaction) => {
    if (read() !== "on" || (await isAnyLookedAt()) || !isOpen(interaction.id)) return;
    const notification = notify(interaction);
    if (notification) shown.set(interaction.id, notification);
  });
  inbox.state.subscribe(() => {
    for (const [id, notification] of shown) {
      if (isOpen(id)) continue;
      notification.close();
      shown.delete(id);
    }
  });
}

const isLookedAt = () => document.hasFocus() && !document.hidden;

const lookedAt = "drover:looked-at";

/**
 * Whether any tab of Drover in this browser has focus. A tab with focus holds a lock, which the browser releases when
 * the tab closes. Asking the other tabs instead would depend on how fast they answer.
 */
function watchTabs(): () => Promise<boolean> {
  // Locks need a secure context, as notifications do.
  if (!("locks" in navigator)) return async () => isLookedAt();
  let release: (() => void) | undefined;
  const look = () => {
    if (!isLookedAt()) {
      release?.();
      release = undefined;
    } else if (!release) {
      const held = Promise.withResolvers<void>();
      release = held.resolve;
      navigator.locks.request(lookedAt, { mode: "shared" }, () => held.promise).catch(() => undefined);
    }
  };
  for (const change of ["focus", "blur"]) addEventListener(change, look);
  document.addEventListener("visibilitychange", look);
  look();
  return async () => {
    // A browser that blocks storage also blocks locks. Then each tab decides for itself.
    const locks = await navigator.locks.query().catch(() => undefined);
    return isLookedAt() || (locks?.held ?? []).some(({ name }) => name === lookedAt);
  };
}

function notify(interaction: Interaction): Notification | undefined {
  const { id, sessionId, sessionName } = interaction;
  const body = `${sessionName}: ${subjectOf(interaction)}`;
  let notification: Notification;
  try {
    // Tabs use the same tag, so that each interaction causes one notification.
    notification = new Notification(headingOf(interaction), { body, tag: id });
  } catch {
    // Mobile browsers define the class but throw here.
    return undefined;
  }
  notification.onclick = () => {
    window.focus();
    navigate(sessionHref(sessionId));
    notification.close();
  };
  return notification;
}
