// Builds the page into packages/web/dist/app, unless it is already built from the same sources.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { glob, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { root } from "./root.ts";

const web = join(root, "packages", "web");
const app = join(web, "dist", "app");
/** Kept next to the page, not in it: the server serves every file below `app`. */
const stamp = join(web, "dist", "app.sha256");

/**
 * The sources of the page. Contents decide, not times: a checkout of an older commit has newer files. The lockfile
 * stands for React and everything else below node_modules.
 */
const sources = [
  "package-lock.json",
  "packages/core/src/**/*.ts",
  "packages/web/*.{html,ts,json}",
  "packages/web/{src,public}/**/*.*",
  "scripts/licenses.ts",
];

export async function hashOf(patterns: readonly string[]): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: root })) files.push(file);
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    const content = await readFile(join(root, file));
    hash.update(`${file}\0${content.byteLength}\0`).update(content);
  }
  return hash.digest("hex");
}

async function builtHash(): Promise<string | undefined> {
  return existsSync(join(app, "index.html")) ? readFile(stamp, "utf8").catch(() => undefined) : undefined;
}

/** Runs the web package's own vite in a separate process, so that the server keeps none of it in memory. */
async function vite(args: string[]): Promise<void> {
  const manifest = createRequire(join(web, "package.json")).resolve("vite/package.json");
  const child = spawn(process.execPath, [join(dirname(manifest), "bin", "vite.js"), ...args], {
    cwd: web,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`vite ended with exit code ${code}`);
}

/** Rethrows an error unless it has one of these codes. */
const unless =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  };

/** Makes sure the page exists and is up to date; throws if it cannot be built. */
export async function buildWeb(): Promise<"built" | "fresh"> {
  const hash = await hashOf(sources);
  if ((await builtHash()) === hash) return "fresh";
  // A page that is being served, or built by another command at the same time, is replaced in one step.
  const fresh = `${app}.${process.pid}`;
  const old = `${fresh}.old`;
  try {
    // First of all: in a read-only checkout, this fails with a clear message.
    await mkdir(fresh, { recursive: true });
    // Node loads the configuration itself; vite's own loader writes a file next to it.
    await vite([
      "build",
      "--configLoader",
      "native",
      "--outDir",
      fresh,
      "--emptyOutDir",
      "--logLevel",
      "warn",
    ]);
    await rm(stamp, { force: true });
    await rename(app, old).catch(unless("ENOENT"));
    await rename(fresh, app);
    await writeFile(stamp, hash);
  } catch (error) {
    // Another command has just put its page there, built from the same sources as ours.
    unless("ENOTEMPTY", "EEXIST")(error);
  } finally {
    for (const left of [fresh, old]) await rm(left, { recursive: true, force: true });
  }
  return "built";
}

if (import.meta.main) {
  console.log((await buildWeb()) === "built" ? `built ${app}` : `up to date: ${app}`);
}
