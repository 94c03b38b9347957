import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { revealingIndex } from "./index-file.ts";
import { type RegularFile, readRegular } from "./read-regular.ts";
import { isSparse, type Settings, writeSettings } from "./settings.ts";

/** Where a repository keeps what, and what it is at. */
export interface Layout {
  readonly top: string;
  readonly gitDirectory: string;
  readonly index: string;
  readonly objects: string;
  readonly exclude: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
}

/**
 * Attributes in a git directory win over all others. Filters would run programs; `ident` and another encoding would
 * hide part of a change; `diff` picks a driver, or hides content by calling it binary.
 */
const ATTRIBUTES = "* -filter -ident -working-tree-encoding !diff\n";

/**
 * A git directory of our own for the working tree of a repository: its commit, objects and index, and of its settings
 * only those that are safe. Whatever else the repository has planted is not there to be found, and whatever git writes,
 * it writes here. The caller removes it.
 */
export async function makePrivateDirectory(
  { layout, settings }: { layout: Layout; settings: Settings },
  scratch: string,
): Promise<string> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const directory = await mkdtemp(join(scratch, "git-"));
  try {
    await fill(directory, layout, settings);
    return directory;
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
}

async function fill(directory: string, layout: Layout, settings: Settings): Promise<void> {
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content);
  for (const name of ["refs", "info", "objects/info"])
    await mkdir(join(directory, name), { recursive: true });
  const exclude = await readRegular(layout.exclude).catch(() => undefined);
  await Promise.all([
    write("HEAD", layout.commit === undefined ? "ref: refs/heads/unborn\n" : `${layout.commit}\n`),
    write("config", await writeSettings(settings, layout)),
    write("info/attributes", ATTRIBUTES),
    write("info/exclude", exclude?.content ?? ""),
    write("objects/info/alternates", `${quoted(layout.objects)}\n`),
    copyIndex(directory, layout, isSparse(settings)),
  ]);
}

const quoted = (path: string): string => `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;

/** A repository to which nothing was ever added has no index. */
async function copyIndex(directory: string, layout: Layout, sparse: boolean): Promise<void> {
  const hashSize = layout.objectFormat === "sha1" ? 20 : 32;
  const copy = async (name: string, { content, mtimeMs }: RegularFile) => {
    const path = join(directory, name);
    await writeFile(path, revealingIndex(content, { hashSize, isSparse: sparse }));
    // Git looks into files that changed in the second in which the index was written. A younger copy would hide them.
    const written = Math.floor(mtimeMs / 1000);
    await utimes(path, written, written);
  };
  const index = await readRegular(layout.index);
  if (!index) return;
  await copy("index", index);
  for (const path of await sharedIndexes(layout.index, index.content)) {
    const shared = await readRegular(path);
    if (shared) await copy(basename(path), shared);
  }
}

/** A split index names the file that holds its other half by that file's hash. */
async function sharedIndexes(index: string, content: Buffer): Promise<string[]> {
  const names = await readdir(dirname(index));
  return names
    .filter((name) => {
      const hash = /^sharedindex\.([0-9a-f]{40,64})$/.exec(name)?.[1];
      return hash !== undefined && content.includes(Buffer.from(hash, "hex"));
    })
    .map((name) => join(dirname(index), name));
}
