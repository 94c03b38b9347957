import { chmod, lstat, readdir } from "node:fs/promises";
import { bytesOf } from "../git/checkpoint-scan.ts";

/** A tree with this many entries is looked at in a second or two. */
export const entriesToLookAt = 200_000;

export interface Looking {
  /** How many entries of directories to look at; nearest ones first. */
  readonly limit: number;
  /** Directories without permissions are made readable: they are about to be removed. */
  readonly unlock?: boolean;
  /** Directories that are safe are not found; what is inside them is. */
  readonly isSafe?: (found: Found) => Promise<boolean>;
}

export interface Found {
  readonly path: string;
  readonly isBare: boolean;
}

/** Directories with a `.git`, and those that look like one themselves. Links are not followed, even at the top. */
export async function* walk(
  top: string,
  { limit, unlock = false, isSafe = async () => false }: Looking,
): AsyncGenerator<Found> {
  let left = limit;
  const isDirectory = (await lstat(top).catch(() => undefined))?.isDirectory() === true;
  const waiting = isDirectory ? [""] : [];
  for (let at = 0; at < waiting.length && left > 0; at++) {
    const path = waiting[at] ?? "";
    const entries = await list(bytesOf(top, path), unlock);
    left -= entries.length;
    const names = new Set(entries.map(({ name }) => name.toString("latin1")));
    const isBare = ["HEAD", "objects", "refs"].every((name) => names.has(name));
    const found = { path, isBare: !names.has(".git") };
    const isRepository = path !== "" && (names.has(".git") || isBare);
    if (isRepository && !(await isSafe(found))) yield found;
    else {
      const prefix = path === "" ? "" : `${path}/`;
      for (const entry of entries) {
        if (entry.isDirectory()) waiting.push(prefix + entry.name.toString("latin1"));
      }
    }
  }
}

async function list(directory: Buffer, unlock: boolean) {
  const read = () => readdir(directory, { withFileTypes: true, encoding: "buffer" });
  return read().catch(async (error: NodeJS.ErrnoException) => {
    if (!unlock || error.code !== "EACCES") return [];
    await chmod(directory, 0o700);
    return read();
  });
}
