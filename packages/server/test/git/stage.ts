import { execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, mkdir, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import type { Answers, Request } from "./reader.ts";

const run = promisify(execFile);

/** The files of a repository by their path; directories have no content. */
type Content = readonly (readonly [string, Buffer | undefined])[];

/** A user without special rights: this one, or nobody. */
export const ordinaryUser = process.getuid?.() || 65_534;

/** What every stage starts from: making it takes git four processes. */
let prepared: Content | undefined;

/** A repository for setting traps, with `tracked.txt` and `folder/inner.txt` in one commit. */
export class Stage implements AsyncDisposable {
  private readonly directory: TempDir;
  private time = 0;
  readonly top: string;
  readonly home: string;
  /** Exists as soon as a planted program has run. */
  readonly canary: string;
  /** Where Drover looks. */
  cwd: string;

  constructor(directory: TempDir) {
    this.directory = directory;
    this.top = join(directory.path, "repository");
    this.home = join(directory.path, "home");
    this.canary = join(directory.path, "canary", "sang");
    this.cwd = this.top;
  }

  static async open(): Promise<Stage> {
    const stage = new Stage(await tempDir("hostile-"));
    for (const path of [stage.top, stage.home, dirname(stage.canary)]) await mkdir(path);
    if (!prepared) {
      prepared = await stage.prepare();
      return stage;
    }
    for (const [name, content] of prepared) {
      if (content) await stage.write({ [name]: content });
      else await mkdir(stage.path(name), { recursive: true });
    }
    // The index has the times of the files it was made from.
    await stage.git("update-index", "-q", "--refresh");
    return stage;
  }

  /** Makes the repository with git. Returns its files in the order in which they can be written. */
  private async prepare(): Promise<Content> {
    await mkdir(this.path("folder"));
    await this.git("init", "-q", "--template=", "-b", "main");
    await this.commit({ "tracked.txt": "first\n", "folder/inner.txt": "inner\n" });
    const names = readdirSync(this.top, { recursive: true, encoding: "utf8" }).sort();
    return names.map((name) => {
      const isFile = lstatSync(this.path(name)).isFile();
      return [name, isFile ? readFileSync(this.path(name)) : undefined];
    });
  }

  path = (...names: string[]): string => join(this.top, ...names);

  beside = (name: string): string => join(this.directory.path, name);

  /** Git as a person runs it, with everything the repository configures. */
  git = (...args: string[]): Promise<string> => this.gitIn(this.top, ...args);

  async gitIn(cwd: string, ...args: string[]): Promise<string> {
    // The repository may already belong to the ordinary user.
    const trusting = ["-c", "safe.directory=*", "-c", "protocol.file.allow=always", ...args];
    return (await run("git", trusting, { cwd, env: { ...process.env, LC_ALL: "C" } })).stdout.trim();
  }

  async write(files: Record<string, string | Buffer>): Promise<void> {
    for (const [name, content] of Object.entries(files)) await writeFile(this.path(name), content);
  }

  async commit(files: Record<string, string | Buffer>): Promise<void> {
    await this.write(files);
    await this.git("add", "-A");
    await this.git("commit", "-q", "-m", "a change");
  }

  /** Appends settings, whose names may contain any bytes. */
  async config(text: string, file = ".git/config"): Promise<void> {
    await writeFile(this.path(file), Buffer.from(text, "latin1"), { flag: "a" });
  }

  async set(settings: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(settings)) await this.git("config", key, value);
  }

  /** A program that records that it ran, and then runs `line`. */
  async trap(line = "exec cat"): Promise<string> {
    const path = this.beside("trap");
    await writeFile(path, `#!/bin/sh\ntouch "${this.canary}"\n${line}\n`);
    await chmod(path, 0o755);
    return path;
  }

  /** Gives a file another time than the index has, so that git reads it again. */
  async touch(): Promise<void> {
    this.time += 1;
    await utimes(this.path("folder/inner.txt"), this.time, this.time);
  }

  get hasSprung(): boolean {
    return existsSync(this.canary);
  }

  /** Makes this user the owner of everything, with access to it. */
  async giveTo(user: number): Promise<void> {
    if (user === process.getuid?.()) return;
    await run("chown", ["-R", `${user}:${user}`, this.directory.path]);
    for (let path = dirname(this.directory.path); path !== "/"; path = dirname(path)) {
      const { mode } = await stat(path);
      if (!(mode & 0o001)) await chmod(path, mode | 0o011);
    }
  }

  /** Every file on the stage with its mode, time and content, except in the reader's home. */
  everything(): string[] {
    const lines: string[] = [];
    const look = (path: Buffer) => {
      const found = lstatSync(path, { bigint: true });
      const facts = [path.toString("latin1"), found.mode, found.mtimeNs, found.size, found.uid];
      if (found.isFile() && found.size < 2 ** 30)
        facts.push(createHash("sha1").update(readFileSync(path)).digest("hex"));
      if (found.isSymbolicLink()) facts.push(readlinkSync(path));
      lines.push(facts.join(" "));
      if (!found.isDirectory()) return;
      for (const name of readdirSync(path, { encoding: "buffer" }).sort(Buffer.compare)) {
        look(Buffer.concat([path, Buffer.from("/"), name]));
      }
    };
    for (const name of readdirSync(this.directory.path))
      if (name !== "home") look(Buffer.from(this.beside(name)));
    return lines;
  }

  /** The same without what a checkpoint writes: objects, its refs, and directory times. */
  everythingKept(): string[] {
    return this.everything()
      .filter((line) => !/\/(objects|refs)[/ ]/.test(line))
      .map((line) =>
        line.replace(/ (\d+) \d+ \d+ (?=\d+$)/, (all, mode) => (Number(mode) & 0o040000 ? "" : all)),
      );
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.directory.remove();
  }
}

/** Runs `reader.ts` until it is disposed of. */
export class Reader implements AsyncDisposable {
  private readonly child;
  private readonly answers;

  constructor(user: number) {
    const program = join(import.meta.dirname, "reader.ts");
    this.child = spawn(process.execPath, ["-C", "source", program, String(user)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  async ask<K extends keyof Answers>(what: K, request: Request): Promise<Answers[K]> {
    this.child.stdin.write(`${JSON.stringify({ ...request, what })}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error("The reader ended");
    return JSON.parse(value) as Answers[K];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.child, "exit");
    this.child.stdin.end();
    await exit;
  }
}

export interface Case {
  readonly title: string;
  /** Sets the trap. */
  plant(stage: Stage): Promise<void>;
  /** The git command that springs the trap when a person runs it, which proves that the trap works. */
  readonly trigger?: readonly string[];
  /** All changed files if `plant` makes its own changes; otherwise the usual changes are made. */
  readonly files?: readonly string[];
  /** Lines that the diff must contain. */
  readonly shows?: readonly string[];
  /** The error code if Drover cannot read the repository. */
  readonly refused?: string;
  /** What the agent's context says about the repository; by default that it is dirty, or no repository if refused. */
  readonly context?: string;
  readonly gitTimeoutMs?: number;
  /** Another form of a trap that `npm test` sets anyway; only `npm run soak` sets this one, too. */
  readonly isVariant?: boolean;
  /** Matters when Drover writes: `npm test` also takes a checkpoint and makes a worktree. A soak does so for all cases. */
  readonly isWritten?: boolean;
  /** Drover only reads here: it never writes into a repository that does not list the working tree. */
  readonly isForged?: boolean;
}
