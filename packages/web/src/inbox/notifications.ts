import type { Interaction } from "@drover/core";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import type { Inbox } from "../state/inbox.ts";
import { href, navigate } from "../state/route.ts";
import { browserShelf } from "../state/storage.ts";
import { createStore, useStore } from "../state/store.ts";

/** `unasked` until a person has said yes or not now; `blocked` is the browser's own no. */
export type NotificationChoice = "unasked" | "on" | "off" | "blocked" | "impossible";

const storageKey = "drover:notifications";
const choice = createStore<NotificationChoice>(read());

function read(): NotificationChoice {
  // Browsers have them in secure contexts only.
  if (!("Notification" in window)) return "impossible";
  if (Notification.permission === "denied") return "blocked";
  const stored = browserShelf.read(storageKey);
  if (stored === "off") return "off";
  return stored === "on" && Notification.permission === "granted" ? "on" : "unasked";
}

/** Must follow a click: browsers ask a person only then. */
export async function turnOnNotifications(): Promise<void> {
  browserShelf.write(storageKey, "on");
  await Notification.requestPermission();
  choice.set(read());
}

export function turnOffNotifications(): void {
  browserShelf.write(storageKey, "off");
  choice.set(read());
}

export function useNotificationChoice(): NotificationChoice {
  return useStore(choice, (now) => now);
}

/** Tells a person who looks elsewhere. A tab that is looked at shows it anyway. */
export function notifyOf(inbox: Inbox): void {
  const shown = new Map<string, Notification>();
  inbox.onOpened((interaction) => {
    if (read() === "on" && !document.hasFocus()) shown.set(interaction.id, notify(interaction));
  });
  inbox.state.subscribe(() => {
    const { open } = inbox.state.get();
    for (const [id, notification] of shown) {
      if (open.some((one) => one.id === id)) continue;
      notification.close();
      shown.delete(id);
    }
  });
}

function notify(interaction: Interaction): Notification {
  const { id, sessionId, sessionName } = interaction;
  const body = `${sessionName}: ${subjectOf(interaction)}`;
  // The same tag in every tab: one interaction, one notification.
  const notification = new Notification(headingOf(interaction), { body, tag: id });
  notification.onclick = () => {
    window.focus();
    navigate(href.session(sessionId));
    notification.close();
  };
  return notification;
}
