// What a turn changed, and how to undo it.
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Item, WorkspaceChanges } from "@drover/core";
import { expect, test } from "vitest";
import { gitIn, openTracked, repositoryAt, Tracked } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, openRig, openSession } from "./support.ts";

/** Repeats its prompt and writes a file. */
const shell = { name: "Shell", driver: "text", command: "/bin/sh", args: ["-c", "cat; echo two > kept.txt"] };

const rig = sharedRig({ agents: { shell } });

/** The changed lines of a diff. */
const linesOf = (diff: string) => diff.split("\n").filter((line) => /^[+-](?![+-]{2} )/.test(line));

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}\n`).join("");

/** Whether anything has written to the user's index. */
const indexOf = async (top: string) => {
  const { ino, mtimeMs, ctimeMs } = await stat(join(top, ".git", "index"));
  return { ino, mtimeMs, ctimeMs };
};

test("T1 a turn and a session each have a diff", async () => {
  await using tracked = await openTracked(rig);
  const first = await tracked.change("write kept.txt two\nwrite new.txt hello");
  expect(first).toMatchObject({ files: 2, added: 2, removed: 1 });
  const second = await tracked.change("write new.txt hi");
  expect(second).toMatchObject({ files: 1, added: 1, removed: 1 });
  const { turnId } = second;
  const diff = await tracked.diff(`turn=${turnId}`);
  expect(linesOf(diff)).toEqual(["-hello", "+hi"]);
  expect(linesOf(await tracked.diff(`turn=${first.turnId}&path=kept.txt`))).toEqual(["-one", "+two"]);
  expect(linesOf(await tracked.diff("against=base"))).toEqual(["-one", "+two", "+hi"]);
  expect(linesOf(await tracked.diff("against=start"))).toEqual(["-one", "+two", "+hi"]);
  const printed = await drover(rig.home, "diff", tracked.session.id, "--turn", turnId);
  expect(printed).toEqual({ code: 0, stdout: diff, stderr: "" });
  const items = await tracked.session.items();
  const changes = items.flatMap((item: Item) => (item.kind === "changes" ? [item.changes] : []));
  expect(changes).toEqual([
    { files: 2, added: 2, removed: 1 },
    { files: 1, added: 1, removed: 1 },
  ]);
});

test("T1 a session that continues a branch is compared with its own start, or with the base of its branch", async () => {
  await using local = await openTracked(rig);
  await local.git("branch", "drover/owl");
  const fields = {
    permissionMode: "never",
    cwd: local.top,
    workspace: "worktree",
    name: "owl",
    reattach: true,
  };
  await local.git("worktree", "add", "-q", join(local.top, ".drover-worktrees", "owl"), "drover/owl");
  const earlier = gitIn(join(local.top, ".drover-worktrees", "owl"));
  await writeFile(join(local.top, ".drover-worktrees", "owl", "kept.txt"), "two\n");
  await earlier("commit", "-q", "-a", "-m", "earlier");
  const session = await openSession(rig, "demo", fields);
  const { cwd } = await session.get();
  await using tracked = new Tracked(session, rig, cwd);
  const filesOf = async (query: string) => {
    const { files } = await rig.client.get<WorkspaceChanges>(session.path(`/workspace?${query}`));
    return files.map(({ path, added, removed }) => `${path} +${added} -${removed}`);
  };
  // Nothing has happened in this session yet.
  expect(await filesOf("against=start")).toEqual([]);
  expect(await filesOf("against=base")).toEqual(["kept.txt +1 -1"]);
  await tracked.change("write kept.txt three\nwrite new.txt hello\ncommit mine");
  expect(await filesOf("against=head")).toEqual([]);
  expect(await filesOf("against=start")).toEqual(["kept.txt +1 -1", "new.txt +1 -0"]);
  expect(linesOf(await tracked.diff("against=base&path=kept.txt"))).toEqual(["-one", "+three"]);
  expect(linesOf(await tracked.diff("against=start&path=kept.txt"))).toEqual(["-two", "+three"]);
  const lines = "/file?path=kept.txt&side=before&from=1&to=9&against=";
  expect(await rig.client.get(session.path(`${lines}start`))).toMatchObject({ lines: ["two"] });
  expect(await rig.client.get(session.path(`${lines}base`))).toMatchObject({ lines: ["one"] });
  const printed = await drover(rig.home, "diff", session.id, "--against", "start");
  expect(printed).toEqual({ code: 0, stdout: await tracked.diff("against=start"), stderr: "" });
  const listed = await drover(rig.home, "diff", session.id, "--against", "start", "--stat");
  expect(listed.stdout).toMatch(/modified +\+1 -1 +kept\.txt/);
});

test("the lines of a changed file come from a turn's checkpoints, or from the session's first one", async () => {
  await using tracked = await openTracked(rig);
  await tracked.write("old.txt", numbered(30));
  const first = await tracked.change("write kept.txt two\nwrite new.txt hello");
  await tracked.remove("old.txt");
  await tracked.write("moved ä.txt", `${numbered(30)}more\n`);
  await tracked.change("write kept.txt three");
  const lines = (query: Record<string, string>) => {
    const search = new URLSearchParams({ path: "kept.txt", side: "before", from: "1", to: "9", ...query });
    return rig.client.ask("GET", tracked.session.path(`/file?${search}`));
  };
  const turn = first.turnId;
  expect(await lines({ turn })).toMatchObject({
    status: 200,
    body: { path: "kept.txt", side: "before", from: 1, total: 1, lines: ["one"] },
  });
  expect(await lines({ turn, side: "after" })).toMatchObject({ body: { lines: ["two"] } });
  expect(await lines({ against: "base", side: "after" })).toMatchObject({ body: { lines: ["three"] } });
  const renamed = { against: "base", path: "moved ä.txt", from: "29", to: "40" };
  expect(await lines(renamed)).toMatchObject({ body: { total: 30, lines: ["line 29", "line 30"] } });
  expect(await lines({ ...renamed, side: "after", from: "31" })).toMatchObject({ body: { lines: ["more"] } });

  const missing = { status: 404, body: { code: "NOT_FOUND", what: "file" } };
  expect(await lines({ turn, path: "new.txt" })).toMatchObject(missing);
  expect(await lines({ turn, path: "moved ä.txt" })).toMatchObject(missing);
  expect(await lines({ turn, path: "../kept.txt" })).toMatchObject({ body: { code: "OUTSIDE_BOUNDARY" } });
  expect(await lines({ turn: "trn_unknown" })).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", what: "checkpoint" },
  });
});

test("a checkpoint leaves the user's index, HEAD, stash and files as they are", async () => {
  await using tracked = await openTracked(rig);
  await tracked.write("staged.txt", "staged\n");
  await tracked.git("add", "staged.txt");
  await tracked.write("staged.txt", "and changed\n");
  const before = await tracked.own();
  const index = await indexOf(tracked.top);
  const { turnId } = await tracked.session.turn("say nothing to do");
  await tracked.change("write kept.txt two");
  await tracked.write("kept.txt", "one\n");
  expect(await indexOf(tracked.top)).toEqual(index);
  expect(await tracked.own()).toBe(before);
  const refs = await tracked.git("for-each-ref", "--format=%(refname)", "refs/drover");
  expect(refs).toContain(`refs/drover/${tracked.session.id}/${turnId}/before`);
  expect(await tracked.git("show", `refs/drover/${tracked.session.id}/${turnId}/after:staged.txt`)).toBe(
    "and changed",
  );
});

test("T2 a turn can be undone, and the undo can be undone", async () => {
  await using tracked = await openTracked(rig);
  await tracked.change("write kept.txt two\nwrite new.txt hello");
  const undone = await drover(rig.home, "undo", tracked.session.id, "--json");
  expect(undone.code).toBe(0);
  const { turnId, files } = JSON.parse(undone.stdout) as { turnId: string; files: string[] };
  expect(files).toEqual(["kept.txt", "new.txt"]);
  expect(await tracked.read("kept.txt")).toBe("one\n");
  await expect(tracked.read("new.txt")).rejects.toThrow("ENOENT");
  expect(await drover(rig.home, "undo", tracked.session.id)).toMatchObject({ code: 5 });
  const again = await tracked.revert({ turnId });
  expect(again).toMatchObject({ status: 200, body: { reverted: turnId, files } });
  expect([await tracked.read("kept.txt"), await tracked.read("new.txt")]).toEqual(["two", "hello"]);
  expect(await tracked.revert()).toMatchObject({ status: 200, body: { files } });
  expect(await tracked.read("kept.txt")).toBe("one\n");
});

test("T2 the agent learns with its next prompt which files were reverted", async () => {
  await using tracked = await openTracked(rig, "shell");
  const { session } = tracked;
  await tracked.change("first");
  expect(await tracked.revert()).toMatchObject({ status: 200, body: { files: ["kept.txt"] } });
  await session.turn("second");
  expect(session.follower.text()).toContain("drover: A person reverted changes to these files: kept.txt.");
});

test("T3 reverting files that have changed since is refused with their names, and possible by force", async () => {
  await using tracked = await openTracked(rig);
  const { turnId } = await tracked.change("write kept.txt two\nwrite new.txt hello");
  await tracked.write("kept.txt", "three\n");
  const refused = { status: 409, body: { code: "REVERT_CONFLICT", files: ["kept.txt"] } };
  expect(await tracked.revert({ turnId })).toMatchObject(refused);
  expect([await tracked.read("kept.txt"), await tracked.read("new.txt")]).toEqual(["three\n", "hello"]);
  expect(await tracked.revert({ turnId, paths: ["new.txt"] })).toMatchObject({
    body: { files: ["new.txt"] },
  });
  const forced = await tracked.revert({ turnId, force: true });
  expect(forced).toMatchObject({ status: 200, body: { files: ["kept.txt"] } });
  expect(await tracked.read("kept.txt")).toBe("one\n");
  expect(await tracked.revert({ turnId: forced.body["turnId"] })).toMatchObject({ status: 200 });
  expect(await tracked.read("kept.txt")).toBe("three\n");
});

test("nothing can be reverted while a turn runs, and its changes so far are shown", async () => {
  await using tracked = await openTracked(rig);
  const { turnId: first } = await tracked.change("write kept.txt two");
  const { turnId = "" } = await tracked.session.send("write kept.txt three\nhang");
  await tracked.session.follower.until((event) => event.type === "tool_result" && event.turnId === turnId, {
    what: "the file is written",
  });
  expect(await tracked.revert({ turnId: first })).toMatchObject({
    status: 409,
    body: { code: "SESSION_LOCKED" },
  });
  expect(linesOf(await tracked.diff(`turn=${turnId}`))).toEqual(["-two", "+three"]);
  await tracked.session.post("interrupt");
});

test("outside a repository there are no checkpoints and no notices about them", async () => {
  await using session = await openSession(rig, "demo", { permissionMode: "never" });
  const { turnId } = await session.turn("write a.txt a");
  await session.turn("say more");
  expect(session.all("turn_changes")).toEqual([]);
  expect(session.all("notice")).toEqual([]);
  expect(await rig.client.ask("GET", session.path(`/diff?turn=${turnId}`))).toMatchObject({
    status: 404,
    body: { code: "NOT_FOUND", what: "checkpoint" },
  });
});

test("there are no checkpoints in a repository at the user's home", async () => {
  await using own = await openRig();
  await repositoryAt(own.home);
  await using session = await openSession(own, "demo", { permissionMode: "never" });
  await session.turn("write a.txt a");
  await session.turn("say more");
  expect([session.all("turn_changes"), session.all("notice")]).toEqual([[], []]);
  expect(await gitIn(own.home)("for-each-ref", "refs/drover")).toBe("");
});

test("checkpoints are kept when a session is deleted, and removed when it is pruned", async () => {
  await using tracked = await openTracked(rig);
  await tracked.change("write kept.txt two");
  const { id } = tracked.session;
  expect(await drover(rig.home, "rm", id)).toMatchObject({ code: 0 });
  const refs = () => tracked.git("for-each-ref", `refs/drover/${id}/`);
  expect(await refs()).toContain("/after");
  expect(await drover(rig.home, "prune", "--older-than", "0s")).toMatchObject({ code: 0 });
  expect(await refs()).toBe("");
});

test("a session in a worktree has its own checkpoints, and is compared with its base", async () => {
  await using local = await openTracked(rig);
  const fields = { permissionMode: "never", cwd: local.top, workspace: "worktree" };
  const session = await openSession(rig, "demo", fields);
  const { cwd } = await session.get();
  await using tracked = new Tracked(session, rig, cwd);
  const { turnId } = await tracked.change("write kept.txt two\ncommit two");
  expect(linesOf(await tracked.diff("against=base"))).toEqual(["-one", "+two"]);
  expect(await tracked.revert({ turnId })).toMatchObject({ status: 200, body: { files: ["kept.txt"] } });
  expect(await tracked.read("kept.txt")).toBe("one\n");
  expect(await local.git("for-each-ref", "refs/drover")).toContain(turnId);
  expect(await local.git("status", "--porcelain")).toBe("");
});
