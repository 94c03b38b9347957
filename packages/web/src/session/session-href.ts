import { href } from "../routing/route.ts";

export const sessionTabs = ["transcript", "changes", "log"] as const;
export type SessionTab = (typeof sessionTabs)[number];

/** The address of a session; `at` is the number of an event to show. */
export function sessionHref(idOrName: string, tab: SessionTab = "transcript", at?: number): string {
  const path = href("/s/:session/:tab?", {
    session: idOrName,
    tab: tab === "transcript" ? undefined : tab,
  });
  return at === undefined ? path : `${path}?at=${at}`;
}
