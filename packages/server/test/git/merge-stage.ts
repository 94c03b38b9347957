import { chmod, mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Mergeability, Rejection, Result, ReviewFacts } from "@drover/core";
import { bytesOf } from "../../src/git/checkpoint-scan.ts";
import {
  localWorkspace,
  type MergeSpec,
  type PlannedMerge,
  type PlannedUpdate,
  type PullRequests,
  type PullSpec,
  type SessionWorkspace,
} from "../../src/ports.ts";
import { worktreeMerges } from "../../src/workspace/merges.ts";
import { pullRequests } from "../../src/workspace/pull-requests.ts";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";
import { Stage } from "./stage.ts";

const messages = { message: "Merge fox\n", workMessage: "Work of fox\n" };

type Files = Readonly<Record<string, string | Buffer>>;

/** A repository on `main`, and a worktree of a session beside it; names are bytes in Latin 1. */
export class MergeStage implements AsyncDisposable {
  readonly stage: Stage;
  readonly tree: string;
  workspace: SessionWorkspace;
  /** The directories in which git is looked for. */
  path = process.env["PATH"] ?? "";
  /** How long git may take to look at something. */
  gitTimeoutMs = 20_000;

  constructor(stage: Stage, commit: string) {
    this.stage = stage;
    this.tree = stage.beside("fox");
    const gitDirectory = stage.path(".git");
    const treeDirectory = join(gitDirectory, "worktrees", "fox");
    this.workspace = {
      ...{ mode: "worktree", path: this.tree, projectDir: stage.top, branch: "drover/fox", confined: false },
      repository: { top: stage.top, gitDirectory, treeDirectory },
      base: { ref: "main", commit },
    };
  }

  static async open(): Promise<MergeStage> {
    const stage = await Stage.open();
    const opened = new MergeStage(stage, await stage.git("rev-parse", "main"));
    await stage.git("config", "user.name", "A Person");
    await stage.git("config", "user.email", "person@example.com");
    await stage.git("worktree", "add", "-q", "-b", "drover/fox", opened.tree);
    return opened;
  }

  /** Writes files of the worktree. */
  write = (files: Files): Promise<void> => writeIn(this.tree, files);

  /** Writes files of the checkout. */
  writeMain = (files: Files): Promise<void> => writeIn(this.stage.top, files);

  /** Commits everything in the worktree. */
  async commit(files: Files, message = "work"): Promise<void> {
    await this.write(files);
    await this.stage.gitIn(this.tree, "add", "-A");
    await this.stage.gitIn(this.tree, "commit", "-q", "-m", message);
  }

  async commitMain(files: Files): Promise<void> {
    await this.writeMain(files);
    await this.stage.git("add", "-A");
    await this.stage.git("commit", "-q", "-m", "theirs");
  }

  private get deps() {
    const environment = { PATH: this.path, HOME: this.stage.home };
    const limits = { gitTimeoutMs: this.gitTimeoutMs, worktreeTimeoutMs: 20_000 };
    return { environment, scratch: join(this.stage.home, "scratch"), ...limits };
  }

  private get manager() {
    return worktreeMerges(this.deps, new RepositoryLocks());
  }

  /** Pushes the session's branch, as work that would be merged into `main`. */
  publish(spec: Partial<PullSpec> = {}): ReturnType<PullRequests["publish"]> {
    const { workspace, deps } = this;
    const full = { into: "main", title: "Fox's work", name: "fox", ...spec };
    const personal = deps.environment;
    return pullRequests({ ...deps, personal }).publish({ workspace, cwd: workspace.path }, full);
  }

  ask(
    into?: string,
    workspace = this.workspace,
    update?: PlannedUpdate,
  ): Promise<Result<Mergeability, Rejection>> {
    const place = { workspace, cwd: workspace.path };
    return this.manager.mergeability(place, into === undefined ? {} : { into }, update);
  }

  async tried(into?: string): Promise<Mergeability> {
    const found = await this.ask(into);
    if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
    return found.value;
  }

  /** What a review is about. */
  async reviewFacts(into = "main"): Promise<ReviewFacts> {
    const found = await this.manager.facts({ workspace: this.workspace, cwd: this.tree }, { into });
    if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
    return found.value;
  }

  /** The files that are in the way where `main` is checked out. */
  async inTheWay(): Promise<readonly string[] | undefined> {
    return (await this.tried("main")).checkout?.inTheWay;
  }

  /** Merges into `main`, unless `spec` says otherwise. `begin` runs right before a branch moves. */
  merge(
    spec: Partial<MergeSpec> = {},
    begin: (planned: PlannedMerge) => Promise<void> = async () => undefined,
  ): Promise<Result<PlannedMerge, Rejection>> {
    const { workspace } = this;
    const all = { sessionId: "ses_1", into: "main", strategy: "merge" as const, ...messages, ...spec };
    return this.manager.merge({ workspace, cwd: workspace.path }, all, begin);
  }

  async merged(spec: Partial<MergeSpec> = {}): Promise<string> {
    const merged = await this.merge(spec);
    if (!merged.ok) throw new Error(`${merged.error.code}: ${merged.error.message}`);
    this.workspace = { ...this.workspace, base: { ref: "main", commit: merged.value.commit } };
    return merged.value.commit;
  }

  settle(planned: PlannedMerge): Promise<Result<boolean, Rejection>> {
    return this.manager.settle({ workspace: this.workspace, cwd: this.tree }, planned);
  }

  update(
    begin: (planned: PlannedUpdate) => Promise<void> = async () => undefined,
  ): Promise<Result<PlannedUpdate, Rejection>> {
    const place = { workspace: this.workspace, cwd: this.tree };
    return this.manager.update(place, { from: "main", workMessage: messages.workMessage }, begin);
  }

  repeatUpdate(planned: PlannedUpdate): Promise<Result<boolean, Rejection>> {
    return this.manager.repeatUpdate({ workspace: this.workspace, cwd: this.tree }, planned);
  }

  finishUpdate(planned: PlannedUpdate): Promise<Result<string | undefined, Rejection>> {
    return this.manager.finishUpdate({ workspace: this.workspace, cwd: this.tree }, planned);
  }

  /** Lets Drover find a git that first runs these lines of a shell script. */
  async meddle(lines: string): Promise<void> {
    const directory = await mkdtemp(this.stage.beside("meddled-"));
    await writeFile(join(directory, "git"), `#!/bin/sh\n${lines}\nPATH='${this.path}' exec git "$@"\n`);
    await chmod(join(directory, "git"), 0o755);
    this.path = `${directory}:${this.path}`;
  }

  /** What git says about both trees: their branches and all changes, ignored files included. */
  async status(): Promise<{ main: string; tree: string }> {
    const ask = (top: string) => this.stage.gitIn(top, "status", "--porcelain", "--ignored", "--branch");
    return { main: await ask(this.stage.top), tree: await ask(this.tree) };
  }

  read = (name: string, top = this.stage.top): Promise<string> => readFile(join(top, name), "utf8");

  commits(workspace = this.workspace) {
    return this.manager.commits({ workspace, cwd: workspace.path });
  }

  facts() {
    return this.manager.facts({ workspace: this.workspace, cwd: this.tree }, { into: "main" });
  }

  /** A workspace that is no worktree. */
  get local(): SessionWorkspace {
    return localWorkspace(this.stage.top);
  }

  /** Every file of the repository and of both trees. Git may refresh the time of an object that it finds again. */
  everything(): string[] {
    return this.stage
      .everything()
      .map((line) => (line.includes("/.git/objects/") ? line.replace(/ (\d+) \d+ /, " $1 ") : line));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stage[Symbol.asyncDispose]();
  }
}

async function writeIn(top: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(bytesOf(top, dirname(name)), { recursive: true });
    await writeFile(bytesOf(top, name), content);
  }
}
