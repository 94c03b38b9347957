import { lstat, stat } from "node:fs/promises";
import { type FileRange, ok, pathBytes, pathText, type Rejection, type Result, reject } from "@drover/core";
import { outputOf } from "../git/describe.ts";
import { openRepository } from "../git/repository.ts";
import type { GitOutput } from "../git/run-git.ts";
import { ForgedTree } from "../git/tree.ts";
import type { WorkspaceManager, WorkspacePlace } from "../ports.ts";
import { Semaphore } from "../process/semaphore.ts";
import { diffOf, listChanges } from "./changes.ts";
import { commit } from "./commit.ts";
import { fileLines } from "./file-lines.ts";
import { fileInWorkspace } from "./file-path.ts";
import { FileFinder } from "./files.ts";
import { GitTimeout, Patience } from "./patience.ts";
import { recordedTree } from "./recorded-tree.ts";
import { openWorkingCopy } from "./working-copy.ts";

export interface WorkspaceDeps {
  readonly gitTimeoutMs: number;
  /** For everything git does to make or remove one worktree. */
  readonly worktreeTimeoutMs: number;
  /** A directory for temporary files, created on first use. */
  readonly scratch: string;
  /** The environment that git gets. */
  readonly environment: Readonly<Record<string, string>>;
}

/** What every kind of workspace reports about its files, and how it commits them. */
export type Comparison = Pick<WorkspaceManager, "changes" | "diff" | "commit" | "fileLines" | "files">;

/** How many repositories are read at once; each takes one or two processes. */
const maxOpen = 4;

/** What a workspace contains, compared with the last commit of its repository. */
export function comparison(deps: WorkspaceDeps): Comparison {
  const slots = new Semaphore(maxOpen);
  const patient = () => new Patience(deps.gitTimeoutMs);
  const { environment, scratch } = deps;
  const at = ({ cwd, workspace }: WorkspacePlace, signal: AbortSignal) => ({
    ...{ cwd, environment, signal, scratch },
    tree: recordedTree(workspace),
  });
  const open = (place: WorkspacePlace, { signal }: Patience) => openWorkingCopy(at(place, signal));
  const finder = new FileFinder((place, signal) => openRepository(at(place, signal)));

  async function changes(place: WorkspacePlace): ReturnType<Comparison["changes"]> {
    const path = place.cwd;
    using patience = patient();
    try {
      await using copy = await open(place, patience);
      if (!copy) return (await isThere(path)) ? ok({ versioned: false, files: [] }) : missing(path);
      const { branch, base } = copy;
      const files = await listChanges(copy);
      const named = branch === undefined ? {} : { branch: pathText(branch) };
      return ok({ versioned: true, ...named, base, files });
    } catch (error) {
      return refusal(error, path, deps);
    }
  }

  async function diff(place: WorkspacePlace, file: string | undefined): ReturnType<Comparison["diff"]> {
    const path = place.cwd;
    const checked = file === undefined ? ok(".") : await fileInWorkspace(path, file);
    if (!checked.ok) return checked;
    const stack = new AsyncDisposableStack();
    try {
      const patience = stack.use(patient());
      const copy = stack.use(await open(place, patience));
      if (!copy) {
        await stack.disposeAsync();
        return (await isThere(path)) ? unversioned(path) : missing(path);
      }
      const output = diffOf(copy, pathBytes(checked.value));
      stack.defer(() => void output.return(null));
      // An error before the first output can still be reported as a rejection.
      const first = await output.next();
      if (first.done) outputOf({ code: first.value, output: empty });
      return ok(continueFrom(first, output, { patience, stack }));
    } catch (error) {
      await stack.disposeAsync();
      return refusal(error, path, deps);
    }
  }

  async function lines(place: WorkspacePlace, query: FileRange): ReturnType<Comparison["fileLines"]> {
    const path = place.cwd;
    const checked = await fileInWorkspace(path, query.path);
    if (!checked.ok) return checked;
    using patience = patient();
    try {
      await using copy = await open(place, patience);
      if (!copy) return (await isThere(path)) ? unversioned(path) : missing(path);
      return await fileLines(copy, path, { ...query, path: checked.value });
    } catch (error) {
      return refusal(error, path, deps);
    }
  }

  /** Asks git about a workspace that must still be there. */
  async function present<T>(
    { cwd }: WorkspacePlace,
    look: (patience: Patience) => Promise<Result<T, Rejection>>,
  ): Promise<Result<T, Rejection>> {
    if (!(await isThere(cwd))) return missing(cwd);
    using patience = patient();
    try {
      return await look(patience);
    } catch (error) {
      return refusal(error, cwd, deps);
    }
  }

  // A diff keeps its slot until its first output: after that, git waits for the client.
  return {
    changes: (place) => slots.run(() => changes(place)),
    diff: (place, file) => slots.run(() => diff(place, file)),
    commit: (place, changes) =>
      slots.run(() =>
        present(
          place,
          async (patience) => (await commit(deps, place, { ...changes, patience })) ?? unversioned(place.cwd),
        ),
      ),
    fileLines: (place, query) => slots.run(() => lines(place, query)),
    files: (place, query) =>
      slots.run(() => present(place, async ({ signal }) => ok(await finder.find(place, query, signal)))),
  };
}

const empty = Buffer.alloc(0);
type First = Awaited<ReturnType<GitOutput["next"]>>;

/** The rest of the output. When its reader ends, for any reason, git ends too. */
export async function* continueFrom(
  first: First,
  output: GitOutput,
  { patience, stack }: { patience: Patience; stack: AsyncDisposableStack },
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let next = first; ; ) {
      patience.rest();
      if (next.done) return void outputOf({ code: next.value, output: empty });
      yield next.value;
      patience.begin();
      next = await output.next();
    }
  } finally {
    await stack.disposeAsync();
  }
}

/** Whether a directory exists. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Whether a regular file exists, not a link to one. */
export const isFile = (path: string): Promise<boolean> =>
  lstat(path).then(
    (found) => found.isFile(),
    () => false,
  );

export const missing = (path: string) =>
  reject(
    "NOT_FOUND",
    `The session's directory ${path} no longer exists; create it again, or delete the session`,
    { what: "workspace" },
  );

const unversioned = (path: string) =>
  reject("UNSUPPORTED", `${path} is not in a git repository, so there is nothing to compare it with`, {
    what: "diff",
  });

/** Turns git's failures into rejections: it may be missing, hang, or find the repository broken. */
export function refusal(
  error: unknown,
  path: string,
  { gitTimeoutMs }: WorkspaceDeps,
): Result<never, Rejection> {
  if (error instanceof ForgedTree) {
    const message = `The worktree ${path} leads elsewhere: ${error.message}; resume the session to put it back`;
    return reject("NOT_FOUND", message, { what: "workspace" });
  }
  if (error instanceof GitTimeout) {
    const message = `git took longer than ${gitTimeoutMs} ms in ${path}; try again, or raise git.timeout`;
    return reject("REQUEST_TIMEOUT", message, { limitMs: gitTimeoutMs });
  }
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  const message = isMissing
    ? "git is not installed here; changes are shown once it is"
    : `git failed in ${path} (${lastLine(error)}); make sure that the disk isn't full, and that \`git fsck\` finds nothing there`;
  return reject("UNSUPPORTED", message, { what: isMissing ? "git" : "diff" });
}

/** What git said at the end, or else how it ended. */
const lastLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).trim().split("\n").at(-1)?.slice(0, 300) ?? "";
