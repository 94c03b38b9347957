import { lstat, mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { editIndex, type IndexEdit } from "./edit-index.ts";
import { revealingIndex } from "./index-file.ts";
import { type RegularFile, readRegular } from "./read-regular.ts";
import { isSparse, type Settings, withSparseIndex, writeSettings } from "./settings.ts";

/** Where a repository keeps its files, and its current commit. */
export interface Layout {
  readonly top: string;
  readonly gitDirectory: string;
  readonly index: string;
  readonly objects: string;
  /** Its folder `info`, with `exclude` and `sparse-checkout`. */
  readonly info: string;
  readonly objectFormat: "sha1" | "sha256";
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
}

/**
 * Attributes in a git directory override all others. Filters would run programs; `ident` and another encoding would
 * hide part of a change; `diff` and `merge` select drivers, or hide content by calling it binary. Conflict markers of
 * another size would not be recognized.
 */
const ATTRIBUTES = "* -filter -ident -working-tree-encoding !diff !merge !conflict-marker-size\n";

interface IndexKind {
  /** The index has directories in place of files that a sparse checkout leaves out. */
  readonly hasSparseIndex: boolean;
  /** Half of the index is in another file. */
  readonly hasSplitIndex: boolean;
}

export interface PrivateDirectory extends IndexKind {
  readonly path: string;
}

/**
 * A private git directory for the working tree of a repository: its commit, objects and index, and only the safe ones
 * of its settings. Nothing else the repository contains is reachable from it, and git writes only here. The caller
 * removes it.
 */
export async function makePrivateDirectory(
  { layout, settings }: { layout: Layout; settings: Settings },
  scratch: string,
): Promise<PrivateDirectory> {
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const path = await mkdtemp(join(scratch, "git-"));
  try {
    return { path, ...(await fillDirectory(path, { layout, settings })) };
  } catch (error) {
    await rm(path, { recursive: true, force: true });
    throw error;
  }
}

export interface DirectoryContent {
  readonly layout: Layout;
  readonly settings: Settings;
  /** The attributes of all files; those of the repository come second. */
  readonly attributes?: string;
  /** Patterns of files to ignore, besides the repository's own. */
  readonly excludes?: string;
  /** Every file must be read again, regardless of the index. */
  readonly distrustsIndex?: boolean;
}

/** Makes an existing directory a private git directory. */
export async function fillDirectory(
  directory: string,
  { layout, settings, attributes = ATTRIBUTES, excludes = "", distrustsIndex = false }: DirectoryContent,
): Promise<IndexKind> {
  const write = (name: string, content: string | Buffer) => writeFile(join(directory, name), content);
  for (const name of ["refs", "info", "objects/info"])
    await mkdir(join(directory, name), { recursive: true });
  const kind = await copyIndex(directory, layout, { isSparse: isSparse(settings), distrustsIndex });
  const { hasSparseIndex } = kind;
  await Promise.all([
    write("HEAD", layout.commit === undefined ? "ref: refs/heads/unborn\n" : `${layout.commit}\n`),
    write("config", await writeSettings(hasSparseIndex ? withSparseIndex(settings) : settings, layout)),
    write("info/attributes", attributes),
    write("info/exclude", Buffer.concat([await infoFile(layout, "exclude"), Buffer.from(excludes)])),
    ...(hasSparseIndex ? [writeSparseCheckout(directory, layout)] : []),
    write("objects/info/alternates", `${quoted(layout.objects)}\n`),
    write("shallow", await shallowCommits(layout)),
  ]);
  return kind;
}

/** A file of the repository's folder `info`; empty if it cannot be read. */
export async function infoFile({ info }: Pick<Layout, "info">, name: string): Promise<Buffer> {
  const found = await readRegular(join(info, name)).catch(() => undefined);
  return found?.content ?? Buffer.alloc(0);
}

/** What a sparse checkout contains. Each working tree has its own list. */
export async function writeSparseCheckout(directory: string, { gitDirectory }: Layout): Promise<void> {
  const list = await infoFile({ info: join(gitDirectory, "info") }, "sparse-checkout");
  await writeFile(join(directory, "info/sparse-checkout"), list);
}

/** The commits whose parents a shallow clone left out: without the list, git would look for these. */
export async function shallowCommits({ info }: Layout): Promise<string> {
  const found = await readRegular(join(dirname(info), "shallow")).catch(() => undefined);
  const lines = found?.content.toString("latin1").split("\n") ?? [];
  return lines.flatMap((line) => (/^[0-9a-f]{40,64}$/.test(line) ? `${line}\n` : [])).join("");
}

/** Whether git may store files differently from how they are: their state in its index then says nothing. */
export async function mayConvert(layout: Layout, settings: Settings): Promise<boolean> {
  if (settings.has("core.autocrlf") || settings.has("core.eol")) return true;
  if ((await infoFile(layout, "attributes")).length > 0) return true;
  return (await readRegular(layout.index))?.content.includes("gitattributes") ?? false;
}

/** A path in a list of alternates. */
export const quoted = (path: string): string => `"${path.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n")}"`;

/** A repository to which nothing was ever added has no index. */
async function copyIndex(
  directory: string,
  layout: Layout,
  { distrustsIndex, ...how }: { isSparse: boolean; distrustsIndex: boolean },
): Promise<IndexKind> {
  const hashSize = hashSizeOf(layout);
  const directories: Buffer[] = [];
  const copy = async (name: string, { content, mtimeMs }: RegularFile) => {
    const path = join(directory, name);
    const writtenAt = Math.floor(mtimeMs / 1000);
    const trustedUntil = distrustsIndex ? 0 : writtenAt;
    const revealing = revealingIndex(content, { hashSize, writtenAt: trustedUntil, ...how });
    directories.push(...revealing.directories);
    await writeFile(path, revealing.content);
    // Git reads files that are no older than the index. A newer copy would hide them.
    await utimes(path, writtenAt, writtenAt);
    return revealing.isSplit;
  };
  const index = await readRegular(layout.index);
  if (!index) return { hasSparseIndex: false, hasSplitIndex: false };
  const hasSplitIndex = await copy("index", index);
  for (const path of await sharedIndexes(layout.index, index.content)) {
    const shared = await readRegular(path);
    if (shared) await copy(basename(path), shared);
  }
  for (const name of directories) await refusePresent(layout.top, name);
  const hasSparseIndex = directories.length > 0;
  // Git never makes an index both split and sparse. To join such halves, it would access the repository's objects.
  if (hasSparseIndex && hasSplitIndex) throw new Error("The index is both sparse and split");
  return { hasSparseIndex, hasSplitIndex };
}

export const hashSizeOf = ({ objectFormat }: Pick<Layout, "objectFormat">): number =>
  objectFormat === "sha1" ? 20 : 32;

/** Writes an index with other entries next to the existing one. Returns its path. */
export async function editedIndex(directory: string, edit: IndexEdit, hashSize: number): Promise<string> {
  const index = await readRegular(join(directory, "index"));
  const path = join(directory, "edited-index");
  await writeFile(path, editIndex(index?.content, edit, hashSize));
  if (index) await utimes(path, index.mtimeMs / 1000, index.mtimeMs / 1000);
  return path;
}

/** To compare it, git would replace the directory with its files, and access objects of the repository. */
async function refusePresent(top: string, name: Buffer): Promise<void> {
  const found = await lstat(Buffer.concat([Buffer.from(`${top}/`), name])).catch(() => undefined);
  if (found) throw new Error("A directory excluded by the sparse checkout exists");
}

/** A split index names the file with its other half by that file's hash. */
export async function sharedIndexes(index: string, content: Buffer): Promise<string[]> {
  const names = await readdir(dirname(index));
  return names
    .filter((name) => {
      const hash = /^sharedindex\.([0-9a-f]{40,64})$/.exec(name)?.[1];
      return hash !== undefined && content.includes(Buffer.from(hash, "hex"));
    })
    .map((name) => join(dirname(index), name));
}

/** Git on a private directory: nothing of the user's or the machine's configuration applies. */
export const privateEnvironment = (directory: string, top: string) => ({
  GIT_DIR: directory,
  GIT_WORK_TREE: top,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_ATTR_NOSYSTEM: "1",
});
