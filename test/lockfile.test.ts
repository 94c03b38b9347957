import { describe, expect, test } from "vitest";
import { type Lockfile, lockfileFaults, readLockfiles } from "../scripts/lockfiles.ts";

test("every lockfile is complete, contains no addresses and runs no install scripts", async () => {
  const lockfiles = await readLockfiles();
  expect(lockfiles.has("package-lock.json")).toBe(true);
  for (const [path, lockfile] of lockfiles) expect(lockfileFaults(lockfile), path).toEqual([]);
});

describe("a lockfile is refused when", () => {
  const integrity = "sha512-x";
  const good: Lockfile["packages"] = {
    "": { optionalDependencies: { "tool-linux": "1.0.0" } },
    "packages/app": { optionalDependencies: { "tool-linux": "1.0.0" } },
    "node_modules/app": { resolved: "packages/app", link: true },
    "node_modules/tool-linux": { version: "1.0.0", integrity },
    "node_modules/@scope/a": { version: "1.0.0", integrity, optionalDependencies: { "a-arm": "1.0.0" } },
    "node_modules/@scope/a/node_modules/a-arm": { version: "1.0.0", integrity },
  };
  test.for<[string, string, Lockfile["packages"]]>([
    [
      "a platform package is missing",
      "lacks its optional dependency a-win",
      {
        "node_modules/b": { integrity, optionalDependencies: { "a-win": "1.0.0" } },
      },
    ],
    [
      "a platform package is installed only where another package finds it",
      "node_modules/b lacks its optional dependency a-arm",
      {
        "node_modules/b": { integrity, optionalDependencies: { "a-arm": "1.0.0" } },
      },
    ],
    [
      "an entry has no integrity",
      "node_modules/b has no integrity",
      { "node_modules/b": { version: "1.0.0" } },
    ],
    [
      "an entry names an address",
      "node_modules/b names the address it came from",
      {
        "node_modules/b": { integrity, resolved: "https://registry.example.invalid/b.tgz" },
      },
    ],
    [
      "an entry has an install script",
      "node_modules/b has an install script",
      {
        "node_modules/b": { integrity, hasInstallScript: true },
      },
    ],
  ])("%s", ([, fault, bad]) => {
    expect(lockfileFaults({ packages: good })).toEqual([]);
    expect(lockfileFaults({ packages: { ...good, ...bad } })).toEqual([expect.stringContaining(fault)]);
  });
});
