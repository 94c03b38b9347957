// The published package: one JavaScript bundle with the page next to it. Node does not strip types below
// node_modules, and a bundle starts in half the time of many files.
import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "rolldown";
import { buildWeb, hashOf } from "./build-web.ts";
import { licenses } from "./licenses.ts";
import { root, testedPackage } from "./root.ts";

const server = join(root, "packages", "server");

/** Separate programs, each at the same path below dist/ as its source below src/. */
const entries = ["main", "agents/demo/main", "drivers/claude/conversations-program"];

interface Manifest {
  dependencies: Record<string, string>;
  [key: string]: unknown;
}

/** Everything is in the bundle: the package has no dependencies to install. */
async function publishedManifest(): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(join(server, "package.json"), "utf8")) as Manifest;
  return { ...manifest, dependencies: {} };
}

const sources = [
  "package-lock.json",
  "packages/core/src/**/*.ts",
  "packages/server/package.json",
  "packages/server/{bin,src}/**/*.*",
  "packages/web/dist/app.sha256",
  "scripts/build-package.ts",
];

/**
 * The package that tests start servers from, rebuilt only when it would change: a test may itself run tests while
 * others use it.
 */
export async function buildTestedPackage(): Promise<void> {
  await buildWeb();
  const hash = await hashOf(sources);
  const stamp = `${testedPackage}.sha256`;
  if ((await readFile(stamp, "utf8").catch(() => undefined)) === hash) return;
  await rm(stamp, { force: true });
  await buildPackage(testedPackage);
  await writeFile(stamp, hash);
}

export async function buildPackage(target: string): Promise<void> {
  await buildWeb();
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await build({
    input: Object.fromEntries(entries.map((name) => [name, join(server, "src", `${name}.ts`)])),
    platform: "node",
    plugins: [licenses(root)],
    resolve: { conditionNames: ["source", "import", "node", "default"] },
    output: {
      dir: join(target, "dist"),
      format: "esm",
      entryFileNames: "[name].js",
      // Next to main.js, so that a path relative to a module's directory means the same as in src/.
      chunkFileNames: "[name]-[hash].js",
      sourcemap: true,
    },
  });
  await cp(join(server, "bin"), join(target, "bin"), { recursive: true });
  await cp(join(root, "packages", "web", "dist", "app"), join(target, "dist", "app"), { recursive: true });
  await cp(join(server, "src", "programs", "lockfiles"), join(target, "dist", "programs", "lockfiles"), {
    recursive: true,
  });
  await cp(join(server, "src", "workspace", "prompts"), join(target, "dist", "workspace", "prompts"), {
    recursive: true,
  });
  for (const file of ["LICENSE", "README.md", "CHANGELOG.md"]) await cp(join(root, file), join(target, file));
  await writeFile(join(target, "package.json"), `${JSON.stringify(await publishedManifest(), null, 2)}\n`);
}
