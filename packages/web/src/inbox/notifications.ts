import type { Interaction, Session } from "@drover/core";
import { agentNameOf } from "../agents/agent-name.ts";
import { headingOf, subjectOf } from "../interaction/summary.ts";
import { navigate } from "../routing/route.ts";
import { type SessionTab, sessionHref } from "../session/session-href.ts";
import type { Drover } from "../state/drover.ts";
import { lookedAt } from "../state/looked-at.ts";
import { createStore, useStore } from "../state/store.ts";
import { browserStorage } from "../storage/storage.ts";
import { type NotificationKind, wantsKind } from "./notification-kinds.ts";

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

interface News {
  readonly kind: NotificationKind;
  /** Identifies it in all tabs, so that it causes one notification. */
  readonly tag: string;
  readonly title: string;
  readonly body: string;
  readonly sessionId: string;
  /** What to open of the session. */
  readonly tab?: SessionTab;
  /** False once it needs no attention any more. */
  readonly isCurrent: () => boolean;
}

/** Notifies the person of new requests and of turns that ended, while no tab of Drover has focus. */
export function notifyOf({ inbox, sessions, agents }: Drover): void {
  const nameOf = (agent: string) => agentNameOf({ agents }, agent);
  const shown = new Map<News, Notification>();
  const isAnyLookedAt = watchTabs();
  const show = async (news: News) => {
    if (read() !== "on" || !wantsKind(news.kind) || (await isAnyLookedAt()) || !news.isCurrent()) return;
    const notification = notify(news);
    if (notification) shown.set(news, notification);
  };
  const closeOutdated = () => {
    for (const [news, notification] of shown) {
      if (news.isCurrent()) continue;
      notification.close();
      shown.delete(news);
    }
  };
  inbox.onOpened((interaction) => {
    const title = headingOf(interaction, nameOf(interaction.agent));
    void show(requestNews(interaction, { inbox, title }));
  });
  inbox.state.subscribe(closeOutdated);
  sessions.onUnread((session) => void show(endingNews(session, { sessions, name: nameOf(session.agent) })));
  sessions.onReady((session) => void show(reviewNews(session, { sessions, name: nameOf(session.agent) })));
  sessions.state.subscribe(closeOutdated);
}

function requestNews(
  interaction: Interaction,
  { inbox, title }: Pick<Drover, "inbox"> & Pick<News, "title">,
): News {
  const { id, sessionId, sessionName } = interaction;
  return {
    ...{ kind: "request", tag: id, sessionId, title },
    body: `${sessionName}: ${subjectOf(interaction)}`,
    isCurrent: () => inbox.state.get().open.some((one) => one.id === id),
  };
}

function endingNews(
  { id, name, title, lastTurn }: Session,
  { sessions, name: agent }: Pick<Drover, "sessions"> & { readonly name: string },
): News {
  const isOk = lastTurn?.ok === true;
  return {
    ...{ kind: isOk ? "finished" : "failed", tag: lastTurn?.id ?? id, sessionId: id },
    title: isOk ? `${agent} finished` : `${agent} failed`,
    body: [name, (isOk ? undefined : lastTurn?.message) ?? title].filter(Boolean).join(": "),
    isCurrent: () => sessions.find(id)?.unread === true,
  };
}

/** Takes the place of the news that the turn has finished. */
function reviewNews(
  { id, name, title, lastTurn }: Session,
  { sessions, name: agent }: Pick<Drover, "sessions"> & { readonly name: string },
): News {
  return {
    ...{ kind: "review", tag: lastTurn?.id ?? id, sessionId: id, tab: "review" },
    title: `${agent}'s work is ready for review`,
    body: [name, title].filter(Boolean).join(": "),
    isCurrent: () => sessions.find(id)?.review?.state === "open",
  };
}

const lockName = "drover:looked-at";

/**
 * Whether any tab of Drover in this browser has focus. A tab with focus holds a lock, which the browser releases when
 * the tab closes. Asking the other tabs instead would depend on how fast they answer.
 */
function watchTabs(): () => Promise<boolean> {
  // Locks need a secure context, as notifications do.
  if (!("locks" in navigator)) return async () => lookedAt.get();
  let release: (() => void) | undefined;
  const look = () => {
    if (!lookedAt.get()) {
      release?.();
      release = undefined;
    } else if (!release) {
      const held = Promise.withResolvers<void>();
      release = held.resolve;
      navigator.locks.request(lockName, { mode: "shared" }, () => held.promise).catch(() => undefined);
    }
  };
  lookedAt.subscribe(look);
  look();
  return async () => {
    // A browser that blocks storage also blocks locks. Then each tab decides for itself.
    const locks = await navigator.locks.query().catch(() => undefined);
    return lookedAt.get() || (locks?.held ?? []).some(({ name }) => name === lockName);
  };
}

function notify({ title, body, tag, sessionId, tab }: News): Notification | undefined {
  let notification: Notification;
  try {
    notification = new Notification(title, { body, tag });
  } catch {
    // Mobile browsers define the class but throw here.
    return undefined;
  }
  notification.onclick = () => {
    window.focus();
    navigate(sessionHref(sessionId, tab));
    notification.close();
  };
  return notification;
}
