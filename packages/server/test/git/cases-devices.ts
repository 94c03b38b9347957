import { mkdir, rm, symlink, truncate } from "node:fs/promises";
import { dirname } from "node:path";
import { mkfifoSync } from "./fifo.ts";
import type { Case, Stage } from "./stage.ts";

const files = [
  "HEAD",
  "config",
  "commondir",
  "index",
  "packed-refs",
  "refs/heads/main",
  "objects/info/alternates",
  "shallow",
];

const replacements: Record<string, (path: string) => Promise<void> | void> = {
  "a FIFO": mkfifoSync,
  "a link to /dev/zero": (path) => symlink("/dev/zero", path),
};

async function replace(stage: Stage, name: string, make: (path: string) => Promise<void> | void) {
  const path = stage.path(".git", name);
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { force: true });
  await make(path);
}

/** Files in the git directory that would keep git busy until it times out. */
export const deviceCases: readonly Case[] = [
  ...Object.entries(replacements).flatMap(([what, make]) =>
    files.map(
      (name): Case => ({
        title: `${what} in the place of .git/${name}`,
        plant: (stage) => replace(stage, name, make),
        refused: "UNSUPPORTED",
      }),
    ),
  ),
  {
    title: "a link to /dev/zero among the alternates of an alternate",
    plant: async (stage) => {
      await mkdir(stage.beside("objects/info"), { recursive: true });
      await symlink("/dev/zero", stage.beside("objects/info/alternates"));
      await mkdir(stage.path(".git/objects/info"), { recursive: true });
      await stage.write({ ".git/objects/info/alternates": `${stage.beside("objects")}\n` });
    },
    refused: "UNSUPPORTED",
  },
  {
    title: "a ref of 30 GB",
    plant: (stage) => truncate(stage.path(".git/refs/heads/main"), 30 * 1024 ** 3),
    refused: "UNSUPPORTED",
  },
  {
    title: "a .git that is a link to /dev/zero",
    plant: async (stage) => {
      await rm(stage.path(".git"), { recursive: true });
      await symlink("/dev/zero", stage.path(".git"));
    },
    refused: "UNSUPPORTED",
  },
];
