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

/** Tells a person who looks elsewhere. A tab that is looked at shows it anyway, and speaks for all the others. */
export function notifyOf(inbox: Inbox): void {
  const shown = new Map<string, Notification>();
  const isAnyLookedAt = askTabs();
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

/** How long a tab may take to say that somebody looks at it. */
const answerMs = 150;

/** Whether somebody looks at any tab of Drover in this browser. */
function askTabs(): () => Promise<boolean> {
  const tabs = new BroadcastChannel("drover:looking");
  const waiting = new Set<(isAnswered: boolean) => void>();
  tabs.onmessage = ({ data }: MessageEvent<"anybody?" | "here">) => {
    if (data === "here") for (const settle of waiting) settle(true);
    else if (isLookedAt()) tabs.postMessage("here");
  };
  return async () => {
    if (isLookedAt()) return true;
    const answer = Promise.withResolvers<boolean>();
    waiting.add(answer.resolve);
    setTimeout(() => answer.resolve(false), answerMs);
    tabs.postMessage("anybody?");
    const isAnswered = await answer.promise;
    waiting.delete(answer.resolve);
    return isAnswered;
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
    navigate(href.session(sessionId));
    notification.close();
  };
  return notification;
}
