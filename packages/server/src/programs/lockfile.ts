import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPackage } from "@drover/core";

/** The part of a package-lock.json that we use. */
export interface AgentLockfile {
  readonly packages: Readonly<Record<string, { readonly dependencies?: Readonly<Record<string, string>> }>>;
}

/** The path of a package's lockfile; `own` is Drover's own directory. */
export const lockfileOf = (own: string, name: string): string =>
  join(own, "programs", "lockfiles", `${name}.json`);

/** Drover's lockfile for exactly this version, if there is one. */
export async function readLockfile(own: string, npm: AgentPackage): Promise<AgentLockfile | undefined> {
  const text = await readFile(lockfileOf(own, npm.name), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const lockfile = JSON.parse(text) as AgentLockfile;
  return lockfile.packages[""]?.dependencies?.[npm.name] === npm.version ? lockfile : undefined;
}
