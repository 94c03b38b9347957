import type { Session } from "@drover/core";
import { href, type SessionTab, sessionTabs } from "../state/route.ts";

const words: Readonly<Record<SessionTab, string>> = {
  transcript: "Conversation",
  changes: "Changes",
  log: "Raw log",
};

export function SessionTabs({ session, tab }: { session: Session; tab: SessionTab }) {
  return (
    <nav aria-label="Views of this session" className="-mx-2 flex gap-0.5">
      {sessionTabs.map((name) => (
        <a
          key={name}
          href={href.session(session.name, name)}
          aria-current={name === tab ? "page" : undefined}
          className={`relative flex h-8 items-center px-2 text-sm max-md:h-10 ${name === tab ? "font-medium text-ink after:absolute after:inset-x-2 after:-bottom-px after:h-0.5 after:rounded-full after:bg-ink" : "text-muted hover:text-ink"}`}
        >
          {words[name]}
        </a>
      ))}
    </nav>
  );
}
