import type { ComponentType } from "react";
import { InboxBadge } from "./inbox/inbox-badge.tsx";
import type { Beginning } from "./new-session/new-session-dialog.tsx";
import type { PathParams } from "./routing/path.ts";
import { AgentIcon, DoctorIcon, FolderIcon, InboxIcon, SettingsIcon } from "./ui/icons.tsx";

/** What every page can do besides showing its own content. */
export interface PageActions {
  readonly onNewSession: (beginning?: Beginning) => void;
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
  /** More words to find it by in the palette. Without them, even none, the palette does not list it. */
  readonly keywords?: string;
  /** The keys that go there, such as `g i`. */
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
    query: ["at"],
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

/** An entry whose page takes the parameters of its own path. */
type Checked<Each> = Each extends { readonly path: infer Path extends string }
  ? PageEntry<Path, Each extends { readonly query: readonly (infer Query extends string)[] } ? Query : never>
  : never;

// Not part of the declaration above: pages link to each other by the paths of the table, so its type must be known
// before theirs.
pages satisfies readonly Checked<Entry>[];

/** The table without the types of each page's own parameters. */
export const pageEntries = pages as readonly PageEntry[];
