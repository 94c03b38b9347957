import type { ReactNode } from "react";
import { href } from "../routing/route.ts";
import { BackIcon } from "./icons.tsx";

interface PageProps {
  readonly title: string;
  /** One sentence: what this page is for. */
  readonly about?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The frame of most pages: a title bar, and the content in one column. */
export function Page({ title, about, actions, children }: PageProps) {
  return (
    <>
      <PageHeader title={title} actions={actions} />
      <div className="column-scroller min-h-0 flex-1">
        <div className="column py-5 pb-[max(2rem,env(safe-area-inset-bottom))]">
          {about && <p className="mb-5 max-w-[38rem] text-pretty text-muted">{about}</p>}
          {children}
        </div>
      </div>
    </>
  );
}

interface PageHeaderProps extends Pick<PageProps, "title" | "actions"> {
  /** Begins at the edge of the page instead of the column. */
  readonly wide?: boolean;
}

/** The title bar of every page except a session's. */
export function PageHeader({ title, actions, wide = false }: PageHeaderProps) {
  return (
    <header
      className={`${wide ? "px-(--edge)" : "column-bar"} flex h-14 shrink-0 items-center gap-2.5 border-line border-b`}
    >
      <BackToSessions />
      <h1 tabIndex={-1} className="min-w-0 flex-1 truncate font-semibold outline-none">
        {title}
      </h1>
      {actions}
    </header>
  );
}

/** A link to the list of sessions, for empty states and errors. */
export function BackHome() {
  return (
    <p className="mt-3">
      <a className="inline-flex items-center text-accent hover:underline max-md:min-h-10" href={href("/")}>
        All sessions
      </a>
    </p>
  );
}

/** The back link; visible only on phones, where a page replaces the list. */
export function BackToSessions() {
  return (
    <a
      href={href("/")}
      aria-label="All sessions"
      className="-ml-3 flex size-10 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover md:hidden"
    >
      <BackIcon />
    </a>
  );
}
