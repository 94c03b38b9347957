import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { setEntries, type TreeEntry } from "./checkpoint.ts";
import { type CheckpointPlace, openStored } from "./checkpoint-directory.ts";
import { parseRaw, type TreeChange } from "./checkpoint-restore.ts";
import { objectWriter } from "./object-writer.ts";
import type { Repository } from "./repository.ts";
import type { GitCommand } from "./run-git.ts";

/** Every path whose index differs from the last commit: `before` is what the commit has. */
export async function stagedChanges({ run, base }: Repository): Promise<TreeChange[]> {
  const args = ["diff-index", "--cached", "-z", "--no-renames", "--raw", base];
  return parseRaw(await run({ args }));
}

/** Of these staged changes, the paths whose staged content neither the last commit nor the file has. */
export async function onlyStaged({ run }: Repository, staged: readonly TreeChange[]): Promise<string[]> {
  const args = [
    "diff",
    "--no-ext-diff",
    "--no-relative",
    "--no-renames",
    "--ignore-submodules=all",
    "--raw",
    "-z",
  ];
  const differing = new Set(parseRaw(await run({ args })).map(({ path }) => path));
  return staged
    .filter(({ before, after }) => after && after.mode !== GITLINK && after.id !== before?.id)
    .map(({ path }) => path)
    .filter((path) => differing.has(path));
}

/** The mode of a nested repository: its entry is a commit there, not content. */
const GITLINK = "160000";

/** A patch that cannot be read, or that no longer applies. */
export class BadPatch extends Error {
  override readonly name = "BadPatch";
  /** The files it names; undefined if it cannot be read. */
  readonly paths: readonly string[] | undefined;

  constructor(paths?: readonly string[]) {
    super("The patch does not apply");
    this.paths = paths;
  }
}

/** Files as they would be without the changes of a patch, in the form in which git stores them. Throws `BadPatch`. */
export async function withoutPatch(repository: Repository, patch: string): Promise<TreeEntry[]> {
  const { writer } = repository;
  const paths = await pathsOf(repository, patch);
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1");
  const add = ["update-index", "-z", "--add", "--remove", "--replace", "--stdin"];
  const refuse = () => Promise.reject(new BadPatch(paths));
  await writer.run({ args: add, input }).catch(refuse);
  await writer.run(reversal(repository, patch)).catch(refuse);
  const listed = await writer.run({
    args: ["ls-files", "--stage", "-z"],
    paths: paths.map((path) => Buffer.from(path, "latin1")),
  });
  const left = entriesIn(listed);
  return paths.map((path) => left.find((entry) => entry.path === path) ?? { path });
}

/** Takes the changes of a patch out of the files in an index. Its paths are relative to the session's directory. */
export const reversal = ({ prefix }: Repository, patch: string): GitCommand => ({
  args: ["apply", "--reverse", "--cached", ...PATCH_OPTIONS, ...below(prefix)],
  input: Buffer.from(patch),
});

const PATCH_OPTIONS = ["--whitespace=nowarn"];
const below = (prefix: string): string[] =>
  prefix === "" ? [] : [`--directory=${Buffer.from(prefix, "latin1").toString()}`];

/** The files that a patch names, before and after it. */
async function pathsOf({ writer, prefix }: Repository, patch: string): Promise<string[]> {
  const input = Buffer.from(patch);
  const names = async (direction: readonly string[]) => {
    const args = ["apply", "--numstat", "-z", ...direction, ...PATCH_OPTIONS, ...below(prefix)];
    const output = await writer.run({ args, input }).catch(() => Promise.reject(new BadPatch()));
    const lines = output.toString("latin1").split("\0").slice(0, -1);
    return lines.map((line) => line.split("\t").slice(2).join("\t"));
  };
  return [...new Set([...(await names([])), ...(await names(["--reverse"]))])];
}

function entriesIn(listed: Buffer): (TreeEntry & { readonly object: { mode: string; id: string } })[] {
  const lines = listed.toString("latin1").split("\0").slice(0, -1);
  return lines.map((line) => {
    const end = line.indexOf("\t");
    const [mode = "", id = ""] = line.slice(0, end).split(" ");
    return { path: line.slice(end + 1), object: { mode, id } };
  });
}

/**
 * The same entries with the bytes that files have in the working tree, where git converts line endings: checkpoints keep
 * those.
 */
export async function asWritten(
  place: CheckpointPlace,
  { writer }: Repository,
  entries: readonly TreeEntry[],
): Promise<TreeEntry[]> {
  const files = entries.filter(({ object }) => object?.mode.startsWith("100"));
  const { layout } = await openStored(place);
  const { directory, environment, signal } = place;
  const scratch = await mkdtemp(join(directory, "written-"));
  const index = `${scratch}-index`;
  try {
    const input = Buffer.from(files.map(({ path }) => `${path}\0`).join(""), "latin1");
    await setEntries(writer, entries);
    await writer.run({ args: ["checkout-index", "-z", "--force", "--stdin", `--prefix=${scratch}/`], input });
    const bytes = objectWriter({ ...layout, top: scratch }, { directory, environment, signal, index });
    await bytes.run({ args: ["update-index", "-z", "--add", "--stdin"], input });
    const written = entriesIn(await bytes.run({ args: ["ls-files", "--stage", "-z"] }));
    const ids = new Map(written.map(({ path, object }) => [path, object.id]));
    return entries.map(({ path, object }) => {
      const id = ids.get(path);
      return object ? { path, object: { ...object, ...(id === undefined ? {} : { id }) } } : { path };
    });
  } finally {
    await rm(scratch, { recursive: true, force: true });
    await rm(index, { force: true });
  }
}
