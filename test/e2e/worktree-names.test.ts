// Names, places and situations in which a worktree can't be created: the error has the reason, and nothing is left behind.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Session } from "@drover/core";
import { expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { sharedRig } from "./shared-rig.ts";
import { openSession } from "./support.ts";
import { git, inWorktree, type WorktreeRig, worktreesOn } from "./worktree-rig.ts";

const shared = sharedRig({});

const asking = (rig: WorktreeRig, fields: object) =>
  rig.client.ask("POST", "/api/sessions", {
    body: { agent: "demo", cwd: rig.work, ...inWorktree, ...fields },
  });

const sessions = async (rig: WorktreeRig) =>
  (await rig.client.get<{ sessions: Session[] }>("/api/sessions")).sessions.map(({ name }) => name);

test("W9 W10 odd names and bases are refused, and never reach git as options or a shell", async () => {
  await using rig = await worktreesOn(shared);
  const names = [
    "../fox",
    "-fox",
    "fox/owl",
    "fox.lock",
    ".fox",
    "fox\n",
    "Fox",
    "$(touch pwned)",
    "",
    "..",
    "a",
  ];
  for (const name of names) expect(await asking(rig, { name })).toMatchObject({ status: 400 });
  const bases = [
    "--help",
    "-b",
    "no-such",
    "main;touch pwned",
    "$(touch pwned)",
    "HEAD:kept.txt",
    "main..HEAD",
    "",
    "\0",
  ];
  for (const base of bases) {
    const { status } = await asking(rig, { base });
    expect([base, status < 500 && status >= 400]).toEqual([base, true]);
  }
  for (const base of ["no-such", "^main"]) {
    expect(await asking(rig, { base })).toMatchObject({
      status: 400,
      body: { code: "BAD_REQUEST", issues: [{ path: "base" }] },
    });
  }
  expect(await sessions(rig)).toEqual([]);
  expect(await rig.traces()).toEqual([]);
  expect(existsSync(join(rig.work, "pwned"))).toBe(false);
});

test("W14 fox and red-fox are two sessions with two worktrees, and deleting one leaves the other", async () => {
  await using rig = await worktreesOn(shared);
  await using red = await openSession(rig, "demo", { ...inWorktree, name: "red-fox" });
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await using fo = await openSession(rig, "demo", { ...inWorktree, name: "fo" });
  await red.turn("write red.txt red");
  await rig.client.delete(fox.path());
  await rig.client.delete(fo.path());
  expect(await readFile(join(rig.treeOf("red-fox"), "red.txt"), "utf8")).toBe("red");
  expect(await rig.traces()).toEqual(
    expect.arrayContaining(["refs/heads/drover/red-fox", `worktree ${rig.treeOf("red-fox")}`]),
  );
  expect(existsSync(rig.treeOf("fox"))).toBe(false);
});

test("a base is a branch, a tag or a commit; the checkout's own commit is the default", async () => {
  await using rig = await worktreesOn(shared);
  const first = await rig.git("rev-parse", "HEAD");
  await rig.git("tag", "v1");
  await rig.git("commit", "-q", "--allow-empty", "-m", "second");
  for (const base of ["v1", first, "main~1"]) {
    const { body } = await asking(rig, { base });
    expect(body).toMatchObject({ workspace: { base: { ref: base, commit: first } } });
  }
  expect((await asking(rig, {})).body).toMatchObject({
    workspace: { base: { ref: "main", commit: await rig.git("rev-parse", "HEAD") } },
  });
});

test("a worktree created from inside a linked worktree is placed next to it, and starts from its commit", async () => {
  await using rig = await worktreesOn(shared);
  const linked = join(rig.home, "linked");
  await rig.git("worktree", "add", "-q", "-b", "side", linked);
  await git(rig.home, linked, "commit", "-q", "--allow-empty", "-m", "aside");
  const { body } = await asking(rig, { cwd: linked, name: "fox" });
  expect(body).toMatchObject({
    cwd: rig.treeOf("fox"),
    workspace: { path: rig.treeOf("fox"), projectDir: linked, base: { ref: "side" } },
  });
  expect(await git(rig.home, rig.treeOf("fox"), "log", "-1", "--format=%s")).toBe("aside");
});

const reasons: [reason: string, set: (rig: WorktreeRig) => Promise<object | undefined>, fix: RegExp][] = [
  [
    "no_commits",
    async ({ home, work }) => {
      await mkdir(join(work, "new"));
      await git(home, join(work, "new"), "init", "-q");
      return { cwd: join(work, "new") };
    },
    /^git -C \S+\/work\/new commit --allow-empty/,
  ],
  [
    "branch_in_use",
    async (rig) => {
      await rig.git("worktree", "add", "-q", "-b", "drover/fox", join(rig.home, "other"));
      return { reattach: true };
    },
    /^git -C \S+\/other switch --detach$/,
  ],
  [
    "branch_in_use",
    async (rig) => void (await rig.git("branch", "drover")),
    /^git -C \S+\/work branch -m drover drover-old$/,
  ],
  ["path_taken", async (rig) => void (await mkdir(rig.treeOf("fox"), { recursive: true })), /^mv /],
  [
    "path_taken",
    async (rig) => void (await symlink(rig.home, rig.treeOf(""))),
    /^rm \S+\/\.drover-worktrees$/,
  ],
  // Out of the allowed directories, and to nothing.
  ["path_taken", async (rig) => void (await symlink("/", rig.treeOf(""))), /^rm \S+\/\.drover-worktrees$/],
  [
    "path_taken",
    async (rig) => void (await symlink("nowhere", rig.treeOf(""))),
    /^rm \S+\/\.drover-worktrees$/,
  ],
  [
    "path_taken",
    async (rig) => void (await writeFile(rig.treeOf(""), "a file")),
    /^mv (\S+\/\.drover-worktrees) \1\.old$/,
  ],
  [
    "path_taken",
    async (rig) => {
      await mkdir(rig.treeOf(""));
      await symlink(rig.home, rig.treeOf("fox"));
    },
    /^mv \S+\/fox \S+\/fox\.old$/,
  ],
  [
    "git_locked",
    async ({ work }) => {
      await mkdir(join(work, ".git", "refs", "heads", "drover"));
      await writeFile(join(work, ".git", "refs", "heads", "drover", "fox.lock"), "");
      return undefined;
    },
    /^rm \S+fox\.lock$/,
  ],
  [
    "commondir_forged",
    async ({ home, work }) => {
      const forged = join(home, "forged");
      await mkdir(join(forged, "fake"), { recursive: true });
      await writeFile(join(forged, ".git"), "gitdir: fake\n");
      await writeFile(join(forged, "fake", "commondir"), `${work}/.git\n`);
      await writeFile(join(forged, "fake", "HEAD"), "ref: refs/heads/main\n");
      return { cwd: forged };
    },
    /^git worktree repair$/,
  ],
  [
    "partial_clone",
    async ({ work, git: run }) => {
      const blob = await run("rev-parse", "HEAD:kept.txt");
      await rm(join(work, ".git", "objects", blob.slice(0, 2), blob.slice(2)));
      await run("config", "remote.origin.url", "/nowhere");
      await run("config", "remote.origin.promisor", "true");
      return undefined;
    },
    /^git -C \S+\/work fetch --refetch --no-filter$/,
  ],
];

test.each(reasons)(
  "W8 %s is reported with a remedy, and nothing is left behind",
  async (reason, set, fix) => {
    await using rig = await worktreesOn(shared);
    const fields = await set(rig);
    const before = await rig.traces();
    const refused = await asking(rig, { name: "fox", ...fields });
    expect(refused).toMatchObject({ status: 409, body: { code: "WORKSPACE_FAILED", reason } });
    const { command, error } = refused.body as { command: string; error: string };
    expect(command).toMatch(fix);
    expect(error).toContain(`Run \`${command}\``);
    expect(await sessions(rig)).toEqual([]);
    const rest = (await rig.traces()).filter((trace) => !before.includes(trace));
    expect(rest).toEqual([]);
  },
);

test("many worktrees can be created at once while commits are made in the checkout", {
  timeout: 120_000,
}, async () => {
  await using rig = await worktreesOn(shared);
  const count = usually(8, { inSoak: 30 });
  const index = await rig.git("ls-files", "--stage");
  let isDone = false;
  const commits = (async () => {
    let number = 0;
    for (; !isDone; number++) await rig.git("commit", "-q", "--allow-empty", "-m", `commit ${number}`);
    return number;
  })();
  const made = await Promise.all(Array.from({ length: count }, () => asking(rig, {})));
  isDone = true;
  expect(await commits).toBeGreaterThan(0);
  expect(made.map(({ status }) => status)).toEqual(Array(count).fill(201));
  const paths = made.map(({ body }) => (body as unknown as Session).workspace.path);
  expect(new Set(paths).size).toBe(count);
  await rig.git("fsck", "--strict", "--no-dangling");
  expect(await rig.git("status", "--porcelain")).toBe("");
  expect(await rig.git("ls-files", "--stage")).toBe(index);
  // Only the user's own commits have moved HEAD.
  const moves = (await rig.git("log", "--walk-reflogs", "--format=%gs", "HEAD")).split("\n");
  expect(moves.filter((move) => !move.startsWith("commit"))).toEqual([]);
  const listed = await rig.git("worktree", "list");
  for (const path of paths) {
    expect(listed).toContain(path);
    expect(await readFile(join(path, "kept.txt"), "utf8")).toBe("one\n");
  }
  const removed = await Promise.all(
    made.map(({ body }) => rig.client.ask("DELETE", `/api/sessions/${(body as { id: string }).id}`)),
  );
  expect(removed.map(({ status }) => status)).toEqual(Array(count).fill(200));
  await until(async () => (await rig.traces()).length === 0);
});
