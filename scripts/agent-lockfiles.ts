// `npm run agent-lockfiles [PACKAGE…]`: writes the lockfiles that `drover agents add` installs from, for the packages and
// versions in the presets. Run it after changing a version there; `npm run lockfiles` checks what it wrote.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { shippedPresets } from "../packages/server/src/drivers/presets.ts";
import { lockfileOf } from "../packages/server/src/programs/lockfile.ts";
import type { Lockfile, LockfileEntry } from "./lockfiles.ts";
import { root } from "./root.ts";

const run = promisify(execFile);
const own = join(root, "packages", "server", "src");

/** Notes for people, addresses, and what npm needs only to run scripts. */
const unused = ["license", "funding", "engines", "deprecated", "hasInstallScript", "resolved"];

const options = ["--package-lock-only", "--ignore-scripts", "--no-audit", "--no-fund"];

async function resolveWithNpm(name: string, version: string): Promise<Lockfile> {
  const directory = await mkdtemp(join(tmpdir(), "drover-lockfile-"));
  try {
    const manifest = { private: true, dependencies: { [name]: version } };
    await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
    await run("npm", ["install", ...options, "--omit-lockfile-registry-resolved"], { cwd: directory });
    return JSON.parse(await readFile(join(directory, "package-lock.json"), "utf8")) as Lockfile;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Whether a package is for a platform that Drover runs on. */
const isForUs = ({ os }: LockfileEntry): boolean =>
  os === undefined || os.some((name) => ["linux", "darwin"].includes(name) || name.startsWith("!"));

/**
 * Drops other systems' packages. An optional package that the registry does not have is dropped as well, because
 * `npm ci` refuses a lockfile in which one is missing; its name is kept, so that the check knows about it.
 */
function prune({ packages: all }: Lockfile): Lockfile {
  const kept = Object.entries(all).filter(([, entry]) => isForUs(entry));
  const names = new Set(kept.map(([path]) => path.split("node_modules/").at(-1) ?? ""));
  const known = new Set(Object.keys(all).map((path) => path.split("node_modules/").at(-1) ?? ""));
  const unavailable = new Set<string>();
  const packages: Lockfile["packages"] = {};
  for (const [path, entry] of kept) {
    const wanted = Object.entries(entry.optionalDependencies ?? {});
    for (const [name, version] of wanted) if (!known.has(name)) unavailable.add(`${name}@${version}`);
    const optionalDependencies = Object.fromEntries(wanted.filter(([name]) => names.has(name)));
    const used = Object.entries({ ...entry, optionalDependencies }).filter(
      ([key, value]) =>
        !unused.includes(key) && (key !== "optionalDependencies" || Object.keys(value).length > 0),
    );
    packages[path] = Object.fromEntries(used);
  }
  return { unavailable: [...unavailable].sort(), packages };
}

/** One line per package, so that a new version is a readable change. */
function format({ packages, unavailable }: Lockfile): string {
  const lines = Object.entries(packages).map(
    ([path, entry]) => `${JSON.stringify(path)}:${JSON.stringify(entry)}`,
  );
  const missing = JSON.stringify(unavailable);
  return `{"lockfileVersion":3,"unavailable":${missing},"packages":{\n${lines.join(",\n")}\n}}\n`;
}

const wanted = process.argv.slice(2);
const shipped = shippedPresets(own).flatMap(({ package: npm }) => npm ?? []);
const versions = new Map(shipped.map(({ name, version }) => [name, version]));
for (const [name, version] of versions) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lockfile = prune(await resolveWithNpm(name, version));
  const file = lockfileOf(own, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, format(lockfile));
  const without = lockfile.unavailable?.length ? `, without ${lockfile.unavailable.join(" ")}` : "";
  console.log(`${name} ${version}: ${Object.keys(lockfile.packages).length - 1} packages${without}`);
}
