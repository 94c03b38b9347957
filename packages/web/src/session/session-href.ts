import type { Session } from "@drover/core";
import { href } from "../routing/route.ts";

export const sessionTabs = ["transcript", "changes", "review", "proposals", "log"] as const;
export type SessionTab = (typeof sessionTabs)[number];

/** The tabs of a session. Work in the user's own directory is not merged, so it has no review. */
export const tabsOf = ({ workspace, worker }: Session): readonly SessionTab[] =>
  sessionTabs.filter((tab) => {
    if (tab === "review") return workspace.mode === "worktree";
    return tab !== "proposals" || worker?.proposals !== undefined;
  });

/** What a tab shows of a session. */
export interface SessionQuery {
  /** The number of an event to show in the transcript. */
  readonly at?: number | undefined;
  /** The turn whose changes to show. */
  readonly turn?: string | undefined;
  /** Shows everything that has changed since the base, or since the session's first turn. */
  readonly against?: "base" | undefined;
}

export function sessionHref(
  idOrName: string,
  tab: SessionTab = "transcript",
  query: SessionQuery = {},
): string {
  const path = href("/s/:session/:tab?", {
    session: idOrName,
    tab: tab === "transcript" ? undefined : tab,
  });
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, `${value}`]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}
