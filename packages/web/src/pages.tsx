import type { ComponentType } from "react";
import { InboxBadge } from "./inbox/inbox-badge.tsx";
import type { Beginning } from "./new-session/new-session-dialog.tsx";
import type { PathParams } from "./routing/path.ts";
import {
  AgentIcon,
  BoardIcon,
  DoctorIcon,
  FolderIcon,
  InboxIcon,
  SettingsIcon,
  WorktreeIcon,
} from "./ui/icons.tsx";

/** Props that every page gets. */
export interface PageActions {
  readonly onNewSession: (beginning?: Beginning) => void;
  readonly onNewWorker: () => void;
}

export interface PageEntry<Path extends string = string, Query extends string = string> {
  /** `:name` is a parameter, `:name?` an optional one. The page gets their values as props. */
  readonly path: Path;
  /** Parameters after the question mark; the page gets them as optional props. */
  readonly query?: readonly Query[];
  /** Shown in links, in the palette, on the key sheet, and as the document's title. */
  readonly title: string;
  readonly icon?: ComponentType<{ size?: number }>;
  /** Where the sidebar links to it. */
  readonly nav?: "top" | "footer";
  /** Shown at the right end of its link. */
  readonly badge?: ComponentType;
  /** Extra search terms for the palette, which lists only pages that have this field. */
  readonly keywords?: string;
  /** The keys that open it, such as `g i`. */
  readonly key?: string;
  readonly load: () => Promise<
    ComponentType<PathParams<Path> & { readonly [Name in Query]?: string } & PageActions>
  >;
}

/**
 * Every page. The router, the sidebar, the palette, the "Go to" keys, the key sheet and the document's title are derived
 * from this table.
 */
export const pages = [
  {
    path: "/inbox",
    title: "Inbox",
    icon: InboxIcon,
    nav: "top",
    badge: InboxBadge,
    keywords: "waiting approvals questions",
    key: "g i",
    load: async () => (await import("./inbox/inbox-page.tsx")).InboxPage,
  },
  {
    path: "/board/:batch?",
    title: "Board",
    icon: BoardIcon,
    nav: "top",
    keywords: "workers tasks kanban queue tries",
    key: "g b",
    load: async () => (await import("./board/board-page.tsx")).BoardPage,
  },
  {
    path: "/",
    title: "All sessions",
    keywords: "home",
    key: "g h",
    load: async () => (await import("./home/home-page.tsx")).HomePage,
  },
  {
    path: "/agents",
    title: "Agents",
    icon: AgentIcon,
    nav: "footer",
    keywords: "install programs",
    key: "g a",
    load: async () => (await import("./agents/agents-page.tsx")).AgentsPage,
  },
  {
    path: "/projects",
    title: "Projects",
    icon: FolderIcon,
    nav: "footer",
    keywords: "directories trust environment",
    key: "g p",
    load: async () => (await import("./projects/projects-page.tsx")).ProjectsPage,
  },
  {
    path: "/workspaces",
    title: "Workspaces",
    icon: WorktreeIcon,
    nav: "footer",
    keywords: "worktrees branches disk space kept",
    key: "g w",
    load: async () => (await import("./workspaces/workspaces-page.tsx")).WorkspacesPage,
  },
  {
    path: "/settings",
    title: "Settings",
    icon: SettingsIcon,
    nav: "footer",
    keywords: "configuration logins notifications",
    key: "g s",
    load: async () => (await import("./settings/settings-page.tsx")).SettingsPage,
  },
  {
    path: "/doctor",
    title: "Doctor",
    icon: DoctorIcon,
    nav: "footer",
    keywords: "health check",
    key: "g d",
    load: async () => (await import("./doctor/doctor-page.tsx")).DoctorPage,
  },
  {
    path: "/docs",
    title: "API reference",
    load: async () => (await import("./docs/docs-page.tsx")).DocsPage,
  },
  {
    path: "/s/:session/:tab?",
    query: ["at", "turn", "against"],
    title: "Session",
    load: async () => (await import("./session/session-page.tsx")).SessionPage,
  },
] as const;

type Entry = (typeof pages)[number];

declare module "./routing/route.ts" {
  interface PageRegister {
    readonly path: Entry["path"];
  }
}

/** The type an entry must have for its path: the page accepts the parameters of the path. */
type Checked<Each> = Each extends { readonly path: infer Path extends string }
  ? PageEntry<Path, Each extends { readonly query: readonly (infer Query extends string)[] } ? Query : never>
  : never;

// Checked apart from the declaration: pages call `href`, whose type depends on this table, so checking them as part of
// the declaration would be circular.
pages satisfies readonly Checked<Entry>[];

/** The table with one type for all entries. */
export const pageEntries = pages as readonly PageEntry[];
