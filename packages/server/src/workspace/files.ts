import { isUtf8 } from "node:buffer";
import { type FileMatches, type MatchQuery, rankPaths } from "@drover/core";
import type { Repository } from "../git/repository.ts";
import type { WorkspacePlace } from "../ports.ts";
import { GitTimeout } from "./patience.ts";
import { hasControl } from "./typed-names.ts";
import { type Walked, walk } from "./walk.ts";

/** More than projects usually have. The rest of a larger one is not searched. */
const maxFiles = 100_000;
/** Outside a repository, where nothing defines what belongs to a project. */
const maxWalked = 20_000;
/** Long enough to type a word, short enough for a new file to show up. */
const keptMs = 5_000;
/** How many lists are cached; each may take megabytes. */
const keptLists = 4;
const walkMs = 1_000;

const LIST_ARGS = ["ls-files", "-t", "-z", "--cached", "--others", "--deleted", "--exclude-standard"];

/** Undefined outside a repository. */
type Open = (place: WorkspacePlace, signal: AbortSignal) => Promise<Repository | undefined>;

/** Finds files by name. The list of a directory is cached for a moment, because typing queries it with every key. */
export class FileFinder {
  private readonly open: Open;
  private readonly lists = new Map<string, { readonly at: number; readonly list: Promise<Walked> }>();

  constructor(open: Open) {
    this.open = open;
  }

  async find(place: WorkspacePlace, { query, limit }: MatchQuery, signal: AbortSignal): Promise<FileMatches> {
    const { paths, isComplete } = await this.list(place, signal);
    const files = rankPaths(query, paths, limit).map((path) => ({ path }));
    return { files, ...(isComplete ? {} : { incomplete: true }) };
  }

  private list(place: WorkspacePlace, signal: AbortSignal): Promise<Walked> {
    const now = performance.now();
    const key = `${place.workspace.mode} ${place.cwd}`;
    for (const [path, { at }] of this.lists) if (now - at > keptMs) this.lists.delete(path);
    const known = this.lists.get(key);
    if (known) return known.list;
    const [oldest] = this.lists.keys();
    if (oldest !== undefined && this.lists.size >= keptLists) this.lists.delete(oldest);
    const list = this.read(place, signal);
    this.lists.set(key, { at: now, list });
    list.catch(() => this.lists.delete(key));
    return list;
  }

  private async read(place: WorkspacePlace, signal: AbortSignal): Promise<Walked> {
    try {
      await using repository = await this.open(place, signal);
      if (repository) return await listed(repository);
    } catch (error) {
      // Without git, or in a repository that it rejects, files can still be found.
      if (error instanceof GitTimeout) throw error;
    }
    return walk(place.cwd, { files: maxWalked, signal: AbortSignal.timeout(walkMs) });
  }
}

/** Reads `TAG PATH` entries: `?` for untracked files, `R` for deleted ones, which are listed twice, others tracked. */
async function listed({ stream, hasSparseIndex }: Repository): Promise<Walked> {
  const found = new Set<string>();
  const deleted = new Set<string>();
  const output = stream({ args: hasSparseIndex ? [...LIST_ARGS, "--sparse"] : LIST_ARGS });
  let rest: Buffer = Buffer.alloc(0);
  for (;;) {
    const next = await output.next();
    if (next.done) {
      if (next.value !== 0) throw new Error(`git ended with ${next.value}`);
      break;
    }
    const chunk = Buffer.concat([rest, next.value]);
    const end = chunk.lastIndexOf(0) + 1;
    rest = chunk.subarray(end);
    for (const entry of entriesOf(chunk.subarray(0, end))) {
      (entry.startsWith("R ") ? deleted : found).add(entry.slice(2));
    }
    if (found.size >= maxFiles) {
      await output.return(null);
      return { paths: [...found].filter((path) => !deleted.has(path)), isComplete: false };
    }
  }
  return { paths: [...found].filter((path) => !deleted.has(path)), isComplete: true };
}

/** Skips directories, and names that a message can't contain. */
function entriesOf(chunk: Buffer): string[] {
  const isText = isUtf8(chunk);
  const entries = isText ? chunk.toString().split("\0") : utf8Entries(chunk);
  return entries.filter((entry) => entry !== "" && !entry.endsWith("/") && !hasControl(entry));
}

const utf8Entries = (chunk: Buffer): string[] =>
  chunk
    .toString("latin1")
    .split("\0")
    .map((entry) => Buffer.from(entry, "latin1"))
    .filter((entry) => isUtf8(entry))
    .map(String);
