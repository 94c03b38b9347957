import type { Session } from "@drover/core";
import { useShortcuts } from "../keyboard/use-shortcuts.ts";
import { navigate } from "../routing/route.ts";
import { type SessionTab, sessionHref, tabsOf } from "./session-href.ts";

const labels: Readonly<Record<SessionTab, string>> = {
  transcript: "Conversation",
  changes: "Changes",
  review: "Review",
  proposals: "Proposals",
  log: "Raw log",
};

export function SessionTabs({ session, tab }: { session: Session; tab: SessionTab }) {
  const tabs = tabsOf(session);
  const show = (view: SessionTab) => () => tabs.includes(view) && navigate(sessionHref(session.name, view));
  useShortcuts({
    "view-transcript": show("transcript"),
    "view-changes": show("changes"),
    "view-review": show("review"),
    "view-proposals": show("proposals"),
    "view-log": show("log"),
  });
  return (
    <nav aria-label="Session views" className="-mx-2 flex gap-0.5 max-md:overflow-x-auto">
      {tabs.map((name) => (
        <a
          key={name}
          href={sessionHref(session.name, name)}
          aria-current={name === tab ? "page" : undefined}
          className={`relative flex h-8 shrink-0 items-center px-2 font-medium text-sm max-md:h-10 max-md:focus-inset ${name === tab ? "text-ink after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 max-md:after:bottom-0 after:rounded-full after:bg-ink" : "text-muted hover:text-ink"}`}
        >
          {labels[name]}
        </a>
      ))}
    </nav>
  );
}
