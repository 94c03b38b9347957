import { useSyncExternalStore } from "react";
import { serverNow } from "../transport/clock.ts";

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });

const dayAndClock = new Intl.DateTimeFormat(undefined, {
  ...{ month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
});

/** The time of day, with the date if it is not today. */
export function momentTime(iso: string, now = Date.now()): string {
  const moment = new Date(iso);
  const isToday = moment.toDateString() === new Date(now).toDateString();
  return (isToday ? clock : dayAndClock).format(moment);
}

export const clockTime = (iso: string): string => clock.format(new Date(iso));
export const fullTime = (iso: string): string => full.format(new Date(iso));

/** How long ago, in short: now, 5m, 3h, 2d. */
export function ago(iso: string, now: number): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  return `${Math.floor(minutes / (24 * 60))}d`;
}

/** 8s, 1m 20s, 2h 5m. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
  return `${Math.floor(seconds / 3600)}h ${Math.floor((seconds % 3600) / 60)}m`;
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for the page, which ticks only while something shows it. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const notify of listeners) notify();
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The server's time in milliseconds, rounded down to `step`, so that a component renders once per step. */
export function useNow(step = 1000): number {
  return useSyncExternalStore(subscribe, () => {
    const now = serverNow();
    return now - (now % step);
  });
}
