// Discarding and committing what a session changed.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { killsAt, meddle, meddledGit } from "./meddled-git.ts";
import { openTracked } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, openRig } from "./support.ts";

const rig = sharedRig({});

test("T2 a discard is undone like a turn, and the agent reads of it with its next prompt", async () => {
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await tracked.change("write kept.txt two\nwrite new.txt new");
  const { stderr, code } = await drover(rig.home, "discard", session.id, "kept.txt", "new.txt");
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/^Discarded the changes to 2 files: kept.txt, new/),
  ]);
  expect(await tracked.git("status", "--porcelain")).toBe("");
  const [discarded] = session.all("turn_changes").slice(-1);
  expect(discarded).toMatchObject({ files: 2, added: 1, removed: 2, discarded: true });
  expect((await session.items()).at(-1)).toMatchObject({ kind: "changes", changes: { discarded: true } });
  // Without a turn, the last change is undone, which is the discard.
  expect((await drover(rig.home, "undo", session.id)).code).toBe(0);
  expect([await tracked.read("kept.txt"), await tracked.read("new.txt")]).toEqual(["two", "new"]);
});

test("a hunk of the diff is discarded as it was shown, in a session below the top", async () => {
  await using tracked = await openTracked(rig);
  await mkdir(join(tracked.top, "sub"));
  const numbers = Array.from({ length: 30 }, (_, n) => `${n}\n`);
  await tracked.write("sub/numbers.txt", numbers.join(""));
  await tracked.git("add", "-A");
  await tracked.git("commit", "-q", "-m", "numbers");
  await tracked.write("sub/numbers.txt", numbers.with(1, "first\n").with(28, "second\n").join(""));
  const { id } = await rig.client.post<{ id: string }>("/api/sessions", {
    ...{ agent: "demo", cwd: join(tracked.top, "sub") },
  });
  const { body: diff } = await rig.client.ask<string>("GET", `/api/sessions/${id}/diff`);
  const [header = "", first = ""] = diff.split(/^(?=@@ )/m);
  const { status, body } = await rig.client.ask("POST", `/api/sessions/${id}/discard`, {
    body: { patch: header + first },
  });
  expect([status, body]).toEqual([200, { turnId: expect.any(String), files: ["numbers.txt"] }]);
  expect(await tracked.read("sub/numbers.txt")).toBe(numbers.with(28, "second\n").join(""));
});

test("a commit has the user's identity and moves the branch; a running turn refuses it and a discard", async () => {
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await tracked.identify();
  await tracked.change("write kept.txt two\nwrite new.txt new");
  const { stderr } = await drover(rig.home, "commit", session.id, "-m", "Change it", "kept.txt");
  const head = await tracked.git("rev-parse", "main");
  expect(stderr).toBe(`Committed 1 file to main: kept.txt as ${head.slice(0, 10)}.\n`);
  expect(await tracked.git("log", "-1", "--format=%an %s")).toBe("Ada Change it");
  expect(await tracked.git("status", "--porcelain")).toBe("?? new.txt");
  await session.send("hang");
  await until(async () => (await session.get()).state === "running");
  const locked = { status: 409, body: { code: "SESSION_LOCKED" } };
  expect(await tracked.commit()).toMatchObject(locked);
  expect(await tracked.discard({ paths: ["new.txt"] })).toMatchObject(locked);
  expect(await tracked.discard({})).toMatchObject({ status: 400, body: { issues: [{ path: "paths" }] } });
});

test("a branch that moves during a commit refuses it, and no work is lost", async () => {
  await using meddled = await openRig(meddledGit());
  await using tracked = await openTracked(meddled);
  await tracked.identify();
  await tracked.write("kept.txt", "two\n");
  const moves = "git update-ref refs/heads/main $(git commit-tree -m moved -p main main^{tree})";
  await meddle(meddled, `case "$*" in *" update-ref -m"*) rm -f "$0-meddle"; ${moves};; esac\n`);
  expect(await tracked.commit()).toMatchObject({ status: 409, body: { reason: "moved" } });
  expect(await tracked.git("log", "-1", "--format=%s")).toBe("moved");
  expect(await tracked.commit()).toMatchObject({ status: 200 });
  expect(await tracked.git("status", "--porcelain")).toBe("");
});

test.each(["apply", "read-tree", "index-info", "numstat"])(
  "T6 a discard that dies at its %s is done or not done, and can be undone",
  async (step) => {
    await using meddled = await openRig(meddledGit());
    await using tracked = await openTracked(meddled);
    const diff = (await tracked.change("write kept.txt two\nwrite new.txt new")) && (await tracked.diff(""));
    await meddle(meddled, killsAt(step));
    const patch = diff.slice(0, diff.indexOf("diff --git", 1));
    const what = step === "apply" ? { patch } : { paths: ["kept.txt", "new.txt"] };
    await tracked.discard(what).catch(() => undefined);
    await meddled.server.exited;
    await meddled.start();
    // A git that outlived the server may still be writing.
    await until(async () => ["one\n", "two"].includes(await tracked.read("kept.txt")));
    if ((await tracked.read("kept.txt")) === "two") await tracked.discard({ paths: ["kept.txt"] });
    expect(await tracked.read("kept.txt")).toBe("one\n");
    await until(() => tracked.session.all("turn_changes").some(({ discarded }) => discarded));
    expect((await tracked.revert()).status).toBe(200);
    expect(await tracked.read("kept.txt")).toBe("two");
  },
);
