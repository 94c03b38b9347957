import { expect, test } from "vitest";
import { setPageShortcuts, shortcuts } from "../src/keyboard/table.ts";
import { pageEntries } from "../src/pages.tsx";
import { buildPath, matchPath, requiredParams } from "../src/routing/path.ts";
import { readRoute } from "../src/routing/read-route.ts";

const session = "/s/:session/:tab?";

test.each([
  ["/", "/", {}],
  ["/", "", {}],
  ["/inbox", "/inbox/", {}],
  ["/inbox", "/inbox/more", undefined],
  ["/inbox", "/", undefined],
  [session, "/s/brave-otter", { session: "brave-otter" }],
  [session, "/s/brave-otter/changes", { session: "brave-otter", tab: "changes" }],
  [session, "/s/a%20b", { session: "a b" }],
  [session, "/s/100%", undefined],
  [session, "/s", undefined],
  [session, "/s/a/b/c", undefined],
])("the pattern %s parses %s", (pattern, path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});

test("a path is built from its parameters and parsed back", () => {
  const params = { session: "a/b ?", tab: "log" };
  expect(matchPath(session, buildPath(session, params))).toEqual(params);
  expect(buildPath(session, { session: "a" })).toBe("/s/a");
  expect(requiredParams(session)).toEqual(["session"]);
});

test("an address identifies one page and its parameters, including the query string", () => {
  const read = (fragment: string) => {
    const { page, params } = readRoute(fragment);
    return [page?.title, params];
  };
  expect(read("")).toEqual(["All sessions", {}]);
  expect(read("#/inbox?at=1")).toEqual(["Inbox", {}]);
  expect(read("#/s/otter/log?at=12&more=1")).toEqual(["Session", { session: "otter", tab: "log", at: "12" }]);
  expect(read("#/nowhere")).toEqual([undefined, {}]);
});

test("no two pages share a path or a shortcut, and no other command uses a page's shortcut", () => {
  const entries = pageEntries;
  setPageShortcuts(entries);
  const paths = entries.map(({ path }) => path);
  expect(new Set(paths).size).toBe(paths.length);
  const keys = shortcuts().flatMap((shortcut) => shortcut.keys);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key } of entries) if (key !== undefined) expect(keys).toContain(key);
});

test("pages with a link or a shortcut need no parameter", () => {
  for (const { path, nav, key, keywords } of pageEntries) {
    if (nav ?? key ?? keywords) expect(requiredParams(path), path).toEqual([]);
  }
});
