import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPackage } from "@drover/core";
import { expect, test } from "vitest";
import type { Lockfile } from "../../../../scripts/lockfiles.ts";
import { shippedPresets } from "../../src/drivers/presets.ts";
import { lockfileOf, readLockfile } from "../../src/programs/lockfile.ts";

const own = join(import.meta.dirname, "../../src");
const packages = shippedPresets(own).flatMap(({ package: npm }) => npm ?? []);

/** The package of each platform's program. */
function programsOf({ name, bin }: AgentPackage): string[] {
  const paths = typeof bin === "object" ? Object.values(bin) : [bin ?? `${name}/`];
  return paths.map((path) => /^((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? path);
}

test.for(packages.map((npm) => [npm.name, npm] as const))(
  "%s has a lockfile for its version; `npm run agent-lockfiles` writes one",
  async ([name, npm]) => {
    expect(await readLockfile(own, npm)).toBeDefined();
    const lockfile = JSON.parse(await readFile(lockfileOf(own, name), "utf8")) as Lockfile;
    const { unavailable = [] } = lockfile;
    const missing = programsOf(npm).filter((program) => !(`node_modules/${program}` in lockfile.packages));
    // npm ci installs nothing for a platform whose program is not published; installing is rejected there.
    expect(missing.filter((program) => !unavailable.includes(`${program}@${npm.version}`))).toEqual([]);
    expect(programsOf(npm).length).toBeGreaterThan(missing.length);
  },
);

test("every lockfile belongs to a package of a preset", async () => {
  const files = await readdir(join(own, "programs", "lockfiles"), { recursive: true });
  const locked = files.filter((file) => file.endsWith(".json")).map((file) => file.slice(0, -".json".length));
  expect(locked.sort()).toEqual([...new Set(packages.map(({ name }) => name))].sort());
});
