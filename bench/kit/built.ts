import { execFile } from "node:child_process";
import { glob, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/root.ts";

/** The package as it is published, and the checkout it is made of. */
export const builtCommand = join(root, "dist", "drover", "bin", "drover.js");
export const sourceCommand = join(root, "packages", "server", "bin", "drover.js");

/** Written last by the build. */
const finished = join(root, "dist", "drover", "package.json");

/** Builds the package unless it is there and no source is newer: an old build would be measured in vain. */
export async function ensureBuilt(): Promise<void> {
  const builtAt = await stat(finished).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  for await (const file of glob("packages/{core,server}/{src,bin}/**/*.{ts,js}", { cwd: root })) {
    if ((await stat(join(root, file))).mtimeMs <= builtAt) continue;
    await promisify(execFile)(process.execPath, [join(root, "scripts", "build.ts")], { cwd: root });
    return;
  }
}
