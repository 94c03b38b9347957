import { type ChangedFile, ok, type Result, type WorkspaceChanges } from "@drover/core";
import { createStore } from "../state/store.ts";
import type { Problem } from "../transport/wire.ts";
import { DiffParser, type FileDiff } from "./diff-parse.ts";
import type { DiffSource } from "./diff-source.ts";
import { type KnownLines, type LineRange, labelHunks, reveal } from "./hunks.ts";
import type { DiffRow } from "./rows.ts";

/** A changed file and its diff, if loaded. An old diff stays until a newer one arrives. */
export interface FileView extends ChangedFile {
  readonly rows?: readonly DiffRow[];
  /** The same as long as the change is; see `FileDiff`. */
  readonly digest?: string;
  readonly problem?: Problem;
}

export interface ChangesState {
  readonly changes?: Omit<WorkspaceChanges, "files">;
  readonly files: readonly FileView[];
  readonly busy: boolean;
  readonly problem?: Problem;
}

/** Up to this many changed lines are loaded at once. Beyond that, each file is loaded when it is viewed. */
const wholeUpTo = 5_000;
/** Each request makes the server run git several times. */
const atOnce = 2;

/** The changes of a source. `refresh` loads the list of files; their lines are loaded on demand. */
export class ChangeSet {
  readonly state = createStore<ChangesState>({ files: [], busy: true });
  private readonly source: DiffSource;
  /** Counts refreshes, so that answers to earlier requests are dropped. */
  private round = 0;
  private current = new Set<string>();
  /** The paths of all files. */
  private listed: ReadonlySet<string> = new Set();
  private wanted: readonly string[] = [];
  private readonly loading = new Set<string>();
  /** Revealed lines, by path. They belong to the commit that files are compared with. */
  private readonly revealed = new Map<string, KnownLines>();
  private stop = new AbortController();

  constructor(source: DiffSource) {
    this.source = source;
  }

  close(): void {
    this.round++;
    this.stop.abort();
  }

  async refresh(): Promise<void> {
    const round = ++this.round;
    this.stop.abort();
    this.stop = new AbortController();
    this.set({ busy: true });
    const answer = await this.source.load();
    if (round !== this.round) return;
    if (!answer.ok) return this.set({ busy: false, problem: answer.error });
    const { files, ...changes } = answer.value;
    if (changes.base === undefined || changes.base !== this.state.get().changes?.base) this.revealed.clear();
    const known = new Map(this.state.get().files.map((file) => [file.path, file]));
    this.current = new Set();
    this.listed = new Set(files.map(({ path }) => path));
    this.loading.clear();
    const views = files.map((file) => withDiff(file, known.get(file.path)));
    this.state.set({ changes, files: views, busy: false });
    const lines = files.reduce((sum, { added, removed }) => sum + added + removed, 0);
    if (files.length > 0 && lines <= wholeUpTo) await this.load(undefined);
    else this.loadWanted();
  }

  /** Files in view, in order of priority. */
  want(paths: readonly string[]): void {
    this.wanted = paths;
    this.loadWanted();
  }

  /** Shows more of a file than its diff has. */
  async reveal(path: string, range: LineRange): Promise<Result<true, Problem>> {
    const { round } = this;
    const file = this.state.get().files.find((each) => each.path === path);
    if (!file) return ok(true);
    const answer = await this.source.loadLines?.(file, range);
    if (!answer) return ok(true);
    if (!answer.ok) return answer;
    if (round !== this.round) return ok(true);
    const { from, lines, total } = answer.value;
    const known = new Map(this.revealed.get(path)?.lines);
    for (const [at, line] of lines.entries()) known.set(from + at, line);
    this.revealed.set(path, { lines: known, total });
    const files = this.state.get().files;
    this.set({
      files: files.map((each) =>
        each.path === path ? withDiff(each, { ...each, rows: this.more(path, each.rows) }) : each,
      ),
    });
    return ok(true);
  }

  /** The rows of a file, with everything that was revealed. */
  private more(path: string, rows: readonly DiffRow[] | undefined): readonly DiffRow[] | undefined {
    const known = this.revealed.get(path);
    return rows && known ? labelHunks(reveal(rows, known)) : rows;
  }

  private loadWanted(): void {
    for (const path of this.wanted) {
      if (this.loading.has("") || this.loading.size >= atOnce) return;
      // A file that was in view may have no changes any more.
      const isMissing = this.listed.has(path) && !this.current.has(path);
      if (isMissing && !this.loading.has(path)) void this.load(path);
    }
  }

  /** Loads the diff of one file, or of all files. */
  private async load(path: string | undefined): Promise<void> {
    const { round } = this;
    this.loading.add(path ?? "");
    const found: FileDiff[] = [];
    const { loadLines, edits } = this.source;
    const parser = new DiffParser((file) => found.push(file), {
      keepsPatches: edits?.takeBackHunk !== undefined,
    });
    const done = await this.source.loadDiff(path, {
      onText: (text) => parser.push(text),
      signal: this.stop.signal,
    });
    if (round !== this.round) return;
    this.loading.delete(path ?? "");
    parser.end();
    // A file that is staged differently comes twice.
    const byPath = new Map<string, Omit<FileDiff, "path">>();
    for (const file of found) {
      // What follows the last hunk is worth a line only if it can be shown.
      const rows = loadLines ? file.rows : file.rows.filter(({ hunk }) => !hunk?.isEnd);
      const { rows: others = [], digest = "" } = byPath.get(file.path) ?? {};
      byPath.set(file.path, { rows: [...others, ...rows], digest: digest + file.digest });
    }
    const diffOf = (file: FileView) =>
      byPath.get(file.path) ?? (path === undefined ? undefined : (found[0] ?? { rows: [], digest: "" }));
    const update = (file: FileView): FileView => {
      if (path !== undefined && file.path !== path) return file;
      const diff = diffOf(file);
      if (done.ok && !diff) return file;
      this.current.add(file.path);
      if (!done.ok) return { ...file, problem: done.error };
      return withDiff(file, { ...diff, rows: this.more(file.path, diff?.rows) });
    };
    this.set({ files: this.state.get().files.map(update) });
    this.loadWanted();
  }

  private set(news: Partial<ChangesState>): void {
    const { problem: _, ...state } = this.state.get();
    this.state.set({ ...state, ...news });
  }
}

/** The file as it is listed now, with a diff that may be older. */
function withDiff(
  { problem: _, ...file }: FileView,
  {
    rows,
    digest,
  }: { readonly rows?: readonly DiffRow[] | undefined; readonly digest?: string | undefined } = {},
): FileView {
  return { ...file, ...(rows ? { rows } : {}), ...(digest === undefined ? {} : { digest }) };
}
