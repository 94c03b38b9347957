// Installs the vendors' programs, pinned by a lockfile, into a cache outside the checkout. No install scripts run, and the
// packages in `conformance/vendor` have none: opencode is installed as its platform's package, and the native modules that
// Gemini CLI and Qwen Code would build (a pseudo terminal, a key ring, a recorder), or that npm does not have (a
// clipboard), are overridden with prebuilt ones.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Programs that are installed together. */
export interface Vendor {
  /** The name of their cache directory. */
  name: string;
  /** The directory with what `npm ci` needs. */
  directory: string;
  size: string;
}

const conformance: Vendor = {
  name: "conformance",
  directory: join(import.meta.dirname, "vendor"),
  size: "1.4 GB",
};
const files = ["package.json", "package-lock.json", ".npmrc"];

async function npmCi(cwd: string): Promise<void> {
  const child = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd,
    stdio: ["ignore", "ignore", "inherit"],
    // The repository's Node only has the certificates it was built with.
    env: { ...process.env, NODE_USE_SYSTEM_CA: "1" },
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`npm ci ended with exit code ${code}`);
}

/** The directory with the programs' node_modules, created in one step so that it is never incomplete. */
export async function installVendor({ name, directory, size }: Vendor = conformance): Promise<string> {
  const hash = createHash("sha256").update(await readFile(join(directory, "package-lock.json")));
  const cache = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "drover", name);
  const installed = join(cache, hash.digest("hex").slice(0, 16));
  if (existsSync(installed)) return installed;
  console.log(`Installing the vendors' programs (about ${size}) into ${installed}`);
  await mkdir(cache, { recursive: true });
  const fresh = await mkdtemp(join(cache, "new-"));
  try {
    for (const file of files) await copyFile(join(directory, file), join(fresh, file));
    await npmCi(fresh);
    await rename(fresh, installed).catch((error: unknown) => {
      // Another run may have been faster; its result is the same.
      if (!existsSync(installed)) throw error;
    });
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return installed;
}
