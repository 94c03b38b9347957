import { stat } from "node:fs/promises";
import {
  type FileLinesQuery,
  type MatchQuery,
  ok,
  pathBytes,
  pathText,
  type Rejection,
  type Result,
  reject,
} from "@drover/core";
import { outputOf } from "../git/describe.ts";
import { openRepository } from "../git/repository.ts";
import type { GitOutput } from "../git/run-git.ts";
import type { Workspace } from "../ports.ts";
import { Semaphore } from "../process/semaphore.ts";
import { diffOf, listChanges } from "./changes.ts";
import { fileLines } from "./file-lines.ts";
import { fileInWorkspace } from "./file-path.ts";
import { FileFinder } from "./files.ts";
import { GitTimeout, Patience } from "./patience.ts";
import { openWorkingCopy } from "./working-copy.ts";

export interface WorkspaceDeps {
  readonly gitTimeoutMs: number;
  /** A directory for what is needed for a moment; made when it is. */
  readonly scratch: string;
  /** What git is given of the server's environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** How many repositories are read at once; each takes one or two processes. */
const maxOpen = 4;

/** The user's own directory, compared with the last commit of the repository it lies in. */
export function localWorkspace(deps: WorkspaceDeps): Workspace {
  const slots = new Semaphore(maxOpen);
  const patient = () => new Patience(deps.gitTimeoutMs);
  const place = (cwd: string, signal: AbortSignal) => ({
    cwd,
    environment: deps.environment,
    signal,
    scratch: deps.scratch,
  });
  const open = (cwd: string, { signal }: Patience) => openWorkingCopy(place(cwd, signal));
  const finder = new FileFinder((cwd, signal) => openRepository(place(cwd, signal)));

  async function changes(path: string): ReturnType<Workspace["changes"]> {
    using patience = patient();
    try {
      await using copy = await open(path, patience);
      if (!copy) return (await isThere(path)) ? ok({ versioned: false, files: [] }) : missing(path);
      const { branch, base } = copy;
      const files = await listChanges(copy);
      const named = branch === undefined ? {} : { branch: pathText(branch) };
      return ok({ versioned: true, ...named, base, files });
    } catch (error) {
      return refusal(error, path, deps);
    }
  }

  async function diff(path: string, file: string | undefined): ReturnType<Workspace["diff"]> {
    const checked = file === undefined ? ok(".") : await fileInWorkspace(path, file);
    if (!checked.ok) return checked;
    const stack = new AsyncDisposableStack();
    try {
      const patience = stack.use(patient());
      const copy = stack.use(await open(path, patience));
      if (!copy) {
        await stack.disposeAsync();
        return (await isThere(path)) ? unversioned(path) : missing(path);
      }
      const output = diffOf(copy, pathBytes(checked.value));
      stack.defer(() => void output.return(null));
      // What goes wrong before the first words can still be told in words.
      const first = await output.next();
      if (first.done) outputOf({ code: first.value, output: empty });
      return ok(words(first, output, { patience, stack }));
    } catch (error) {
      await stack.disposeAsync();
      return refusal(error, path, deps);
    }
  }

  async function lines(path: string, query: FileLinesQuery): ReturnType<Workspace["fileLines"]> {
    const checked = await fileInWorkspace(path, query.path);
    if (!checked.ok) return checked;
    using patience = patient();
    try {
      await using copy = await open(path, patience);
      if (!copy) return (await isThere(path)) ? unversioned(path) : missing(path);
      return await fileLines(copy, path, { ...query, path: checked.value });
    } catch (error) {
      return refusal(error, path, deps);
    }
  }

  async function files(path: string, query: MatchQuery): ReturnType<Workspace["files"]> {
    if (!(await isThere(path))) return missing(path);
    using patience = patient();
    try {
      return ok(await finder.find(path, query, patience.signal));
    } catch (error) {
      return refusal(error, path, deps);
    }
  }

  // A diff keeps its slot until its first words: after that, git waits for the client.
  return {
    changes: (path) => slots.run(() => changes(path)),
    diff: (path, file) => slots.run(() => diff(path, file)),
    fileLines: (path, query) => slots.run(() => lines(path, query)),
    files: (path, query) => slots.run(() => files(path, query)),
  };
}

const empty = Buffer.alloc(0);
type First = Awaited<ReturnType<GitOutput["next"]>>;

/** The rest of the output. However its reader ends, nothing of git stays. */
async function* words(
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

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

const missing = (path: string) =>
  reject(
    "NOT_FOUND",
    `The session's directory ${path} is no longer there; make it again, or delete the session`,
    { what: "workspace" },
  );

const unversioned = (path: string) =>
  reject("UNSUPPORTED", `${path} is in no git repository, so there is nothing to compare it with`, {
    what: "diff",
  });

/** Faults of git in words; it may be missing, hang, or find the repository broken. */
function refusal(error: unknown, path: string, { gitTimeoutMs }: WorkspaceDeps): Result<never, Rejection> {
  if (error instanceof GitTimeout) {
    const message = `git took longer than ${gitTimeoutMs} ms in ${path}; try again, or raise git.timeout`;
    return reject("REQUEST_TIMEOUT", message, { limitMs: gitTimeoutMs });
  }
  const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
  const message = isMissing
    ? "git is not installed here; changes are shown once it is"
    : `git could not compare ${path} with its last commit; its repository may be damaged: \`git fsck\` there says more`;
  return reject("UNSUPPORTED", message, { what: isMissing ? "git" : "diff" });
}
