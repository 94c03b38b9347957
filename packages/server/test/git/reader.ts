// Reads one repository for each line of input, in every way Drover does, as the user given as its argument.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type ChangedFile, ok, type Rejection, type Result, reject } from "@drover/core";
import { buildRuntimeContext } from "../../src/context/index.ts";
import { findTop } from "../../src/git/find-top.ts";
import { type Checkpoint, localWorkspace } from "../../src/ports.ts";
import { gitCheckpoints } from "../../src/workspace/checkpoints.ts";
import { comparison, type WorkspaceDeps } from "../../src/workspace/comparison.ts";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";
import { worktrees } from "../../src/workspace/worktrees.ts";
import { type MergeSteps, reviewAndMerge } from "./reader-merge.ts";

export interface Request {
  readonly cwd: string;
  readonly home: string;
  readonly gitTimeoutMs: number;
}

/** What to do, and what comes back. */
export interface Answers {
  readonly read: ReadAnswer;
  readonly keep: KeepAnswer;
  /** How a discard and a commit ended. */
  readonly change: string[];
  /** Whether a worktree was made, used and removed again, or why not. */
  readonly worktree: string;
  readonly merge: MergeSteps;
}

interface ReadAnswer {
  /** The context an agent gets when its turn starts. */
  readonly context: string;
  /** The files of `GET …/workspace`, or the code of its error. */
  readonly files: ChangedFile[] | string;
  /** The text of `GET …/diff`, or the code of its error. */
  readonly diff: string;
  /** The text of `GET …/diff?path=` for the first listed file. */
  readonly byPath: Record<string, string>;
  /** The names of `GET …/files`. */
  readonly names: string[];
}

const user = Number(process.argv[2] ?? process.getuid?.());
// All modules are loaded, so the user doesn't need permission to read this checkout.
if (user !== process.getuid?.()) {
  process.setgroups?.([]);
  process.setgid?.(user);
  process.setuid?.(user);
}

function depsOf({ home, gitTimeoutMs }: Request): WorkspaceDeps {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: home };
  return { environment, scratch: `${home}/scratch`, gitTimeoutMs, worktreeTimeoutMs: gitTimeoutMs };
}

const managerIn = (home: string, git: WorkspaceDeps) =>
  worktrees({
    git,
    comparison: comparison(git),
    locks: new RepositoryLocks(),
    ports: () => ({ range: [21_000, 21_999], directory: join(home, "ports") }),
    resolvePath: async (path) => ok(path),
    repositoryTop: findTop,
  });

/** Creates a worktree for a session, works in it, and deletes it by force. */
async function useWorktree(request: Request): Promise<string> {
  const { cwd, home } = request;
  const manager = managerIn(home, depsOf(request));
  const wanted = { name: "fox", directory: cwd, trusted: true };
  const made = await manager.create(wanted, async () => undefined);
  if (!made.ok) return String(made.error.facts?.["reason"] ?? made.error.code);
  const { workspace } = made.value;
  await writeFile(join(workspace.path, "new.txt"), "new\n");
  await manager.changes(made.value);
  const kept = await manager.keep(workspace, { force: true });
  await manager.destroy(workspace, { isUnused: false });
  return kept.ok ? "made" : kept.error.code;
}

async function read(request: Request): Promise<ReadAnswer> {
  const { cwd } = request;
  const deps = depsOf(request);
  const { changes: changesOf, diff: readDiff, files: findFiles } = comparison(deps);
  const place = { cwd, workspace: localWorkspace(cwd) };
  const diffOf = async (path?: string) => {
    const found = await readDiff(place, path);
    if (!found.ok) return found.error.code;
    const chunks: Uint8Array[] = [];
    for await (const chunk of found.value) chunks.push(chunk);
    return Buffer.concat(chunks).toString();
  };
  const [{ text: context }, changes, diff, found] = await Promise.all([
    buildRuntimeContext(cwd, { ...deps, version: "1", port: 1 }),
    changesOf(place),
    diffOf(),
    findFiles(place, { query: "", limit: 1_000 }),
  ]);
  const files = changes.ok ? changes.value.files : changes.error.code;
  const byPath: Record<string, string> = {};
  const [first] = changes.ok ? changes.value.files : [];
  if (first) byPath[first.path] = await diffOf(first.path);
  const names = found.ok ? found.value.files.map(({ path }) => path) : [];
  return { context, files, diff, byPath, names };
}

const identity = "[user]\nname = A\nemail = a@example.test\n";

/** Discards a new file, and commits another one; how each of them ended. */
async function change(request: Request): Promise<string[]> {
  const { cwd, home } = request;
  const git = depsOf(request);
  const session = { sessionId: "ses_hostile", cwd };
  const checkpoints = checkpointsIn(home, git);
  await writeFile(`${home}/.gitconfig`, identity);
  const attempt = async (work: () => Promise<Result<unknown, Rejection>>) => {
    await writeFile(`${cwd}/probe.txt`, "probe\n");
    return work().then(
      (done) => (done.ok ? "done" : done.error.code),
      () => "failed",
    );
  };
  const paths = ["probe.txt"];
  return [
    await attempt(async () => {
      const now = await checkpoints.take(session, git.gitTimeoutMs);
      if (!now) return reject("UNSUPPORTED", "There is nothing to keep");
      return checkpoints.discard(session, { now, paths });
    }),
    await attempt(() =>
      comparison(git).commit({ cwd, workspace: localWorkspace(cwd) }, { message: "probe", paths }),
    ),
  ];
}

const checkpointsIn = (home: string, git: WorkspaceDeps) =>
  gitCheckpoints({
    git,
    maxFile: () => 1_000_000,
    directory: (sessionId) => `${home}/${sessionId}/checkpoints`,
    repositoryTop: findTop,
  });

interface KeepAnswer {
  /** Why there are no checkpoints. */
  readonly problem?: string;
  /** The files that were put back. */
  readonly files: readonly string[];
  /** The files that no checkpoint has, if there are any. */
  readonly skipped?: Checkpoint["skipped"];
}

/** Takes checkpoints around a change, compares them, and reverts the change. */
async function keep(request: Request): Promise<KeepAnswer> {
  const { cwd, home, gitTimeoutMs } = request;
  const checkpoints = checkpointsIn(home, depsOf(request));
  const session = { sessionId: "ses_hostile", cwd };
  const probe = `${cwd}/probe.txt`;
  try {
    const before = await checkpoints.take(session, gitTimeoutMs);
    await writeFile(probe, "probe\n");
    const now = await checkpoints.take(session, gitTimeoutMs);
    if (!before || !now) return { problem: "nothing to keep", files: [] };
    const pair = { before: before.commit, after: now.commit };
    await checkpoints.keep(session, "trn_hostile", pair);
    const files = await checkpoints.compare(session, pair);
    const diff = await checkpoints.diff(session, pair);
    if (diff.ok) for await (const _ of diff.value);
    const reverted = await checkpoints.revert(session, { ...pair, now, force: false });
    if (!reverted.ok) return { problem: reverted.error.message, files: [] };
    const { skipped } = before;
    return { files: files.map(({ path }) => path), ...(skipped.length > 0 ? { skipped } : {}) };
  } catch (error) {
    return { problem: String(error), files: [] };
  } finally {
    await rm(probe, { force: true });
  }
}

const answerers: { [K in keyof Answers]: (request: Request) => Promise<Answers[K]> } = {
  read,
  keep,
  change,
  worktree: (request) => useWorktree(request).catch(String),
  merge: async (request) => {
    await writeFile(`${request.home}/.gitconfig`, identity);
    const git = depsOf(request);
    return reviewAndMerge(managerIn(request.home, git), git, request.cwd);
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { what, ...request } = JSON.parse(line) as Request & { readonly what: keyof Answers };
  process.stdout.write(`${JSON.stringify(await answerers[what](request))}\n`);
}
