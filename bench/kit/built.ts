import { execFile } from "node:child_process";
import { glob, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/root.ts";

/** The built package, and the checkout it is built from. */
export const builtCommand = join(root, "dist", "drover", "bin", "drover.js");
export const sourceCommand = join(root, "packages", "server", "bin", "drover.js");

/** The last file that the build writes. */
const finished = join(root, "dist", "drover", "package.json");

/** Builds the package if it is missing or older than a source file. */
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
