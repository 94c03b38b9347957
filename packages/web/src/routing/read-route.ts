import { type PageEntry, pageEntries } from "../pages.tsx";
import { matchPath, type ParamValues } from "./path.ts";

/** The page that an address names, and the values of its parameters. */
export interface Route {
  /** Undefined when no page has this address. */
  readonly page: PageEntry | undefined;
  readonly params: ParamValues;
}

export function readRoute(fragment: string): Route {
  const [path = "", query = ""] = fragment.replace(/^#/, "").split("?");
  const search = new URLSearchParams(query);
  for (const page of pageEntries) {
    const params = matchPath(page.path, path);
    if (!params) continue;
    const queryParams = (page.query ?? []).flatMap((name) => {
      const value = search.get(name);
      return value === null ? [] : [[name, value] as const];
    });
    return { page, params: { ...params, ...Object.fromEntries(queryParams) } };
  }
  return { page: undefined, params: {} };
}
