import { createStore, useStore } from "./store.ts";

export const sessionTabs = ["transcript", "changes", "log"] as const;
export type SessionTab = (typeof sessionTabs)[number];

const plainPages = ["home", "inbox", "agents", "projects", "settings", "doctor", "docs"] as const;
export type PlainPage = (typeof plainPages)[number];

/** What an address asks for. `at` is the number of an event to show. */
export type Route =
  | { readonly page: PlainPage }
  | { readonly page: "session"; readonly session: string; readonly tab: SessionTab; readonly at?: number }
  | { readonly page: "unknown" };

/**
 * Addresses are fragments: `#/s/brave-otter/changes?at=12`. Every one is the same file to the server, a browser keeps
 * them over the redirect to the login page, and what somebody looks at stays out of logs.
 */
export const href = {
  home: "#/",
  inbox: "#/inbox",
  agents: "#/agents",
  projects: "#/projects",
  settings: "#/settings",
  doctor: "#/doctor",
  docs: "#/docs",
  session: (idOrName: string, tab: SessionTab = "transcript", at?: number): string =>
    `#/s/${idOrName}${tab === "transcript" ? "" : `/${tab}`}${at === undefined ? "" : `?at=${at}`}`,
} as const satisfies Record<PlainPage, string> & Record<"session", unknown>;

export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [first = "", session, tab = "transcript", ...more] = path.replace(/\/$/, "").split("/");
  if (first === "") return { page: "home" };
  if (first === "s" && session && isTab(tab) && more.length === 0) {
    const at = Number(new URLSearchParams(query).get("at") ?? Number.NaN);
    return { page: "session", session, tab, ...(Number.isSafeInteger(at) && at > 0 ? { at } : {}) };
  }
  const page = session === undefined ? plainPages.find((name) => name === first) : undefined;
  return page ? { page } : { page: "unknown" };
}

const isTab = (name: string): name is SessionTab => (sessionTabs as readonly string[]).includes(name);

const route = createStore(readRoute(location.hash));
addEventListener("hashchange", () => route.set(readRoute(location.hash)));

export function navigate(to: string): void {
  location.hash = to;
}

/** What is looked at has another address now. */
export function redirect(to: string): void {
  location.replace(to);
}

export function useRoute(): Route {
  return useStore(route, (now) => now);
}
