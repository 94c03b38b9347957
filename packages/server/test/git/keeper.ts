import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { CommitChanges, DiscardChanges } from "@drover/core";
import { takeCheckpoint } from "../../src/git/checkpoint.ts";
import { type Checkpoint, localWorkspace } from "../../src/ports.ts";
import { comparison } from "../../src/workspace/comparison.ts";
import { discard } from "../../src/workspace/discard.ts";
import { revert } from "../../src/workspace/revert.ts";
import { Stage } from "./stage.ts";

/** Takes checkpoints of a stage as a session does, and reverts what changed between two of them. */
export class Keeper {
  readonly #stage: Stage;
  readonly directory: string;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.directory = join(stage.home, "checkpoints");
  }

  place({ signal = new AbortController().signal, maxFile = 1_000 } = {}) {
    const environment = { PATH: process.env["PATH"] ?? "", HOME: this.#stage.home };
    return { directory: this.directory, top: this.#stage.top, environment, signal, maxFile };
  }

  take(how: Parameters<Keeper["place"]>[0] = {}): Promise<Checkpoint> {
    return takeCheckpoint(this.place(how));
  }

  /** Restores a checkpoint, as reverting everything after it does. */
  async back(to: Checkpoint, { force = false, paths }: { force?: boolean; paths?: string[] } = {}) {
    const now = await this.take();
    return revert(this.place(), { before: to.commit, after: now.commit, now, force, paths });
  }

  /** Discards changes as a session in the stage's directory does. */
  async discard(what: DiscardChanges) {
    const { cwd, home } = this.#stage;
    const now = await this.take();
    return discard({ ...this.place(), cwd, scratch: join(home, "scratch") }, { ...what, now });
  }

  /** Commits as a session in the stage's directory does. */
  commit(changes: CommitChanges) {
    const { environment } = this.place();
    const scratch = join(this.#stage.home, "scratch");
    const limits = { gitTimeoutMs: 10_000, worktreeTimeoutMs: 10_000 };
    const { cwd } = this.#stage;
    return comparison({ environment, scratch, ...limits }).commit(
      { cwd, workspace: localWorkspace(cwd) },
      changes,
    );
  }

  /** The files of a checkpoint. */
  async files({ commit }: Checkpoint): Promise<string[]> {
    return (await this.#stage.git("ls-tree", "-r", "--name-only", commit)).split("\n");
  }

  content({ commit }: Checkpoint, path: string): Promise<string> {
    return this.#stage.git("cat-file", "blob", `${commit}:${path}`);
  }

  /** Every file of the working tree with its content. */
  tree(): Record<string, string> {
    const { top } = this.#stage;
    const found: Record<string, string> = {};
    const look = (name: string) => {
      const path = join(top, name);
      const file = lstatSync(path);
      if (file.isDirectory()) for (const each of readdirSync(path)) look(join(name, each));
      else if (file.isSymbolicLink()) found[name] = `-> ${readlinkSync(path)}`;
      else if (file.isFile()) found[name] = `${file.mode & 0o111 ? "*" : ""}${readFileSync(path, "latin1")}`;
    };
    for (const name of readdirSync(top)) if (name !== ".git") look(name);
    return found;
  }
}

/** A repository and its keeper, for one test. */
export const openKeeper = async () => {
  const stage = await Stage.open();
  return { stage, keeper: new Keeper(stage), [Symbol.asyncDispose]: () => stage[Symbol.asyncDispose]() };
};
