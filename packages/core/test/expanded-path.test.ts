import { mayExpandTo, mayLeadElsewhere } from "@drover/core";
import { expect, it } from "vitest";

it.each([
  ".gi[t]/config",
  "/work/.[g]it/hooks/x",
  ".gi[[:alpha:]]/config",
  ".g{it,x}/config",
  ".git{,}/config",
  ".gi{s..u}/config",
  ".g{it}/config",
  "{.git/config,x}",
  "sub{/.git/hooks/x,}",
  ".g?t/config",
  ".g*",
  "@(.git)/config",
  "!(x)/config",
  ".g$X/config",
  `.g\${X}it/config`,
  ".git$x/config",
  ".g$(echo it)/config",
  ".g`echo it`/config",
  "$'\\x2egit'/config",
  ".gi\\t/config",
  "'.git'/config",
  '.g""it/config',
  ".G[I]T/config",
])("a shell may take %s for something below .git", (path) => {
  expect(mayExpandTo(path, ".git")).toBe(true);
});

it.each([
  "app/[id]/page.tsx",
  "app/[[...slug]]/page.tsx",
  "app/(group)/page.tsx",
  "routes/$id.tsx",
  "routes/$userId/edit.tsx",
  "a {slug}.ts",
  "it's.txt",
  "[a].txt",
  "a~$b",
])("%s stays what it is, and where it is", (path) => {
  expect(mayExpandTo(path, ".git")).toBe(false);
  expect(mayExpandTo(path, "drover.yaml")).toBe(false);
  expect(mayLeadElsewhere(path)).toBe(false);
});

it.each([
  ...["~root/x", "$HOME/x", "$x/y", "src/$HOME/y", `src/\${X}/y`, "src/`pwd`", "src/$(pwd)/y", "%2e%2e/x"],
  ...["{..,x}/y", "[.][.]/y", "{a,../../b}", "link-{out,x}/y", "?./x", "\\../x"],
])("a shell may take %s for a path elsewhere", (path) => {
  expect(mayLeadElsewhere(path)).toBe(true);
});

it("drover.yaml is found behind a pattern", () => {
  for (const path of ["drover.y[a]ml", "drover.y{a,b}ml", "dr*ml", "drover.yam$x" + "l/../drover.yaml'"])
    expect([path, mayExpandTo(path, "drover.yaml")]).toEqual([path, true]);
});

it("a long pattern takes no time", () => {
  for (const text of ["*a", "{a,", "[", "$(", "{,}", "@(", "'"])
    expect(mayExpandTo(text.repeat(2_000).slice(0, 4_000), ".git")).toBeTypeOf("boolean");
});
