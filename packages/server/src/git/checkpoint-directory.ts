import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeRepository } from "./describe.ts";
import { type ObjectWriter, objectWriter } from "./object-writer.ts";
import { fillDirectory, infoFile, type Layout, mayConvert } from "./private-directory.ts";
import type { GitRun } from "./run-git.ts";
import { writeSettings } from "./settings.ts";
import { checkReal, findTree, type GitTree } from "./tree.ts";

export interface CheckpointPlace extends Pick<GitRun, "environment" | "signal"> {
  /** The session's private git directory. It stays: its index makes the next checkpoint cheap. */
  readonly directory: string;
  /** The top of the working tree. */
  readonly top: string;
}

export interface CheckpointDirectory {
  readonly layout: Layout;
  readonly writer: ObjectWriter;
  /** The commit that the index is compared with: the last checkpoint, or at first what was checked out. */
  readonly head: string | undefined;
  moveHead(commit: string): Promise<void>;
}

/** Files are kept byte for byte: no conversion of line endings, no filter, no other encoding. */
const ATTRIBUTES = "* -text -filter -ident -working-tree-encoding !diff\n";

/** Drover's own files in a workspace. */
const EXCLUDES = "\n.drover\n.drover-worktrees/\n";

/** What is kept about a repository. Later reads use its git directory, and refuse it once a link leads elsewhere. */
interface Record {
  readonly tree: GitTree;
  readonly layout: Layout;
  /** The state of the settings and of the sparse checkout that this was made from. */
  readonly settings: string;
  readonly sparse: string;
}

/**
 * Opens the session's directory. Makes it if there is none, if it belongs to another working tree, or `again`.
 */
export async function openCheckpoints(
  place: CheckpointPlace,
  { again = false } = {},
): Promise<CheckpointDirectory> {
  const known = await readRecord(place.directory);
  const own = known?.layout.top === place.top ? known : undefined;
  const layout = own && !again ? await refresh(place, own) : undefined;
  return opened(place, layout ?? (await seed(place, own?.tree)));
}

/** The repository of a session's checkpoints, even if its working tree is gone; undefined if there are none. */
export async function checkpointRepository(directory: string): Promise<GitTree | undefined> {
  return (await readRecord(directory))?.tree;
}

/** The session's directory as it is, for reading what is stored. Throws if there is none. */
export async function openStored(place: CheckpointPlace): Promise<CheckpointDirectory> {
  const known = await readRecord(place.directory);
  if (!known) throw new Error("The session has no checkpoints");
  return opened(place, known.layout);
}

async function opened(
  { directory, environment, signal }: CheckpointPlace,
  layout: Layout,
): Promise<CheckpointDirectory> {
  const head = (await readFile(join(directory, "HEAD"), "latin1")).trim();
  return {
    layout,
    writer: objectWriter(layout, { directory, environment, signal }),
    head: head.startsWith("ref:") ? undefined : head,
    moveHead: (commit) => replaceFile(join(directory, "HEAD"), `${commit}\n`),
  };
}

async function seed(place: CheckpointPlace, stored: GitTree | undefined): Promise<Layout> {
  const { directory, top } = place;
  const tree = stored ?? (await findTree(top));
  if (tree?.top !== top) throw new Error(`${top} is not the top of a working tree`);
  const { layout, settings } = await describeRepository({ ...place, cwd: top }, tree);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const isConverted = await mayConvert(layout, settings);
  await fillDirectory(directory, {
    ...{ layout, settings, attributes: ATTRIBUTES, excludes: EXCLUDES },
    distrustsIndex: isConverted,
  });
  await writeRecord(directory, {
    ...{ tree, layout },
    settings: await settingsStamp(place, layout),
    sparse: (await infoFile(layout, "sparse-checkout")).toString("latin1"),
  });
  return layout;
}

/** Brings what may have changed in the repository up to date; undefined if the index must be rebuilt. */
async function refresh(place: CheckpointPlace, known: Record): Promise<Layout | undefined> {
  const { directory, top } = place;
  const { layout } = known;
  // A git that was killed leaves its lock. Nothing else uses this directory.
  await rm(join(directory, "index.lock"), { force: true });
  const sparse = (await infoFile(layout, "sparse-checkout")).toString("latin1");
  if (sparse !== known.sparse) return undefined;
  const exclude = Buffer.concat([await infoFile(layout, "exclude"), Buffer.from(EXCLUDES)]);
  await writeFile(join(directory, "info/exclude"), exclude);
  const settings = await settingsStamp(place, layout);
  if (settings !== known.settings) {
    const described = await describeRepository({ ...place, cwd: top }, known.tree);
    await writeFile(join(directory, "config"), await writeSettings(described.settings, layout));
    await writeRecord(directory, { ...known, settings });
  }
  return layout;
}

/** Changes when a file that settings are read from changes; included files are not checked. */
async function settingsStamp({ environment }: CheckpointPlace, layout: Layout): Promise<string> {
  const { HOME = "/", XDG_CONFIG_HOME = join(HOME, ".config") } = environment;
  const files = [
    join(dirname(layout.objects), "config"),
    join(layout.gitDirectory, "config.worktree"),
    join(HOME, ".gitconfig"),
    join(XDG_CONFIG_HOME, "git/config"),
    "/etc/gitconfig",
  ];
  const found = await Promise.all(files.map((file) => stat(file).catch(() => undefined)));
  return found.map((each) => (each ? `${each.ino} ${each.size} ${each.mtimeMs}` : "-")).join("\n");
}

const RECORD = "repository.json";

/** Throws `ForgedTree` if the repository has been replaced by a link to another one. */
async function readRecord(directory: string): Promise<Record | undefined> {
  const text = await readFile(join(directory, RECORD), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const record = JSON.parse(text) as Record;
  await checkReal(record.tree);
  return record;
}

const writeRecord = (directory: string, record: Record): Promise<void> =>
  replaceFile(join(directory, RECORD), JSON.stringify(record));

/** Leaves all of the new content, or all of the old content if the server dies in between. */
async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.new`, content);
  await rename(`${path}.new`, path);
}
