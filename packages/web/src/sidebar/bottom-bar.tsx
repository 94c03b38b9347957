import type { ReactNode } from "react";
import { InboxBadge } from "../inbox/inbox-badge.tsx";
import type { PageEntry } from "../pages.tsx";
import { href } from "../routing/route.ts";
import { AgentIcon, BoardIcon, InboxIcon, PlusIcon } from "../ui/icons.tsx";

interface BottomBarProps {
  /** The current page. */
  readonly current: PageEntry | undefined;
  readonly onNewSession: () => void;
}

const look = "flex h-12 w-full items-center justify-center gap-2 text-xs";

/** The main links within reach of a thumb. Sessions have their composer there instead. */
export function BottomBar({ current, onNewSession }: BottomBarProps) {
  return (
    <nav
      aria-label="Main"
      className="grid shrink-0 grid-cols-4 border-line border-t bg-side pb-[env(safe-area-inset-bottom)]"
    >
      <BarLink path="/" isCurrent={current?.path === "/"}>
        <AgentIcon size={16} />
        Sessions
      </BarLink>
      <BarLink path="/inbox" isCurrent={current?.path === "/inbox"}>
        <InboxIcon size={16} />
        Inbox
        <span className="flex">
          <InboxBadge />
        </span>
      </BarLink>
      <BarLink path="/board/:batch?" isCurrent={current?.path === "/board/:batch?"}>
        <BoardIcon size={16} />
        Board
      </BarLink>
      <button type="button" aria-label="New session" className={`${look} text-muted`} onClick={onNewSession}>
        <PlusIcon size={16} />
        New
      </button>
    </nav>
  );
}

interface BarLinkProps {
  readonly path: "/" | "/inbox" | "/board/:batch?";
  readonly isCurrent: boolean;
  readonly children: ReactNode;
}

function BarLink({ path, isCurrent, children }: BarLinkProps) {
  return (
    <a
      href={href(path)}
      aria-current={isCurrent ? "page" : undefined}
      className={`${look} ${isCurrent ? "font-medium" : "text-muted"}`}
    >
      {children}
    </a>
  );
}
