import type { Interaction } from "@drover/core";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import { navigate } from "../routing/route.ts";
import { sessionHref } from "../session/session-href.ts";
import type { Inbox } from "../state/inbox.ts";
import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";

/** `unasked` until a person has said yes or not now; `blocked` is the browser's own no. */
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

/** Must follow a click: browsers ask a person only then. */
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

/** Tells a person who looks elsewhere. A tab that is looked at shows it anyway, and speaks for all the others. */
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
 * Whether somebody looks at any tab of Drover in this browser. Each one that is looked at holds a lock, which ends with
 * it: nobody has to answer in time, however busy the machine is.
 */
function watchTabs(): () => Promise<boolean> {
  // Only secure contexts have locks; nor are there notifications elsewhere.
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
    // A browser that keeps nothing refuses locks as well: each tab then speaks for itself.
    const locks = await navigator.locks.query().catch(() => undefined);
    return isLookedAt() || (locks?.held ?? []).some(({ name }) => name === lookedAt);
  };
}

function notify(interaction: Interaction): Notification | undefined {
  const { id, sessionId, sessionName } = interaction;
  const body = `${sessionName}: ${subjectOf(interaction)}`;
  let notification: Notification;
  try {
    // The same tag in every tab: one interaction, one notification.
    notification = new Notification(headingOf(interaction), { body, tag: id });
  } catch {
    // Browsers of phones have the name and refuse the thing.
    return undefined;
  }
  notification.onclick = () => {
    window.focus();
    navigate(sessionHref(sessionId));
    notification.close();
  };
  return notification;
}
