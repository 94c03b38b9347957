// `npm run lockfiles`: checks that `npm ci` works with a lockfile on every platform, from any registry, and runs no
// foreign code. npm silently writes lockfiles that lack the platform packages of other machines.
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./root.ts";

export interface LockfileEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

export interface Lockfile {
  /** Of an agent's lockfile: optional packages that the registry did not have when it was written. */
  unavailable?: string[];
  packages: Record<string, LockfileEntry>;
}

/** Where Node would look for `name` from the package at `from`, nearest first: `a/node_modules/b` → b, a, root. */
function* candidates(from: string, name: string): Generator<string> {
  for (let at = from; ; at = at.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$|(^|\/)[^/]+$/, "")) {
    yield at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (at === "") return;
  }
}

/** Everything that is wrong with a lockfile, one sentence each. */
export function lockfileFaults({ packages }: Lockfile): string[] {
  const faults: string[] = [];
  for (const [path, entry] of Object.entries(packages)) {
    const isInstalled = path.includes("node_modules/") && !entry.link;
    if (isInstalled && !entry.integrity) faults.push(`${path} has no integrity`);
    if (entry.resolved && !entry.link) faults.push(`${path} names the address it came from`);
    if (entry.hasInstallScript) faults.push(`${path} has an install script`);
    for (const name of Object.keys(entry.optionalDependencies ?? {})) {
      const isThere = [...candidates(path, name)].some((candidate) => candidate in packages);
      if (!isThere) faults.push(`${path || "the root"} lacks its optional dependency ${name}`);
    }
  }
  return faults;
}

const places =
  "{package-lock.json,test/conformance/*/package-lock.json,packages/server/src/programs/lockfiles/**/*.json}";

/** The repository's lockfiles by path, those of the conformance suite and of agents included. */
export async function readLockfiles(): Promise<Map<string, Lockfile>> {
  const found = new Map<string, Lockfile>();
  for await (const path of glob(places, { cwd: root })) {
    found.set(path, JSON.parse(await readFile(join(root, path), "utf8")) as Lockfile);
  }
  return found;
}

if (import.meta.main) {
  for (const [path, lockfile] of await readLockfiles()) {
    const faults = lockfileFaults(lockfile);
    for (const fault of faults) console.error(`${path}: ${fault}`);
    const missing = lockfile.unavailable?.length;
    const without = missing ? ` but for ${missing} that no registry had when it was written` : "";
    if (faults.length === 0)
      console.log(`${path}: ${Object.keys(lockfile.packages).length} packages, complete${without}`);
    else process.exitCode = 1;
  }
}
