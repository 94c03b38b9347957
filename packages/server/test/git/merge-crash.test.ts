// What happens to a merge when a server dies in the middle of it, or something else changes at the same time.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, link, mkdir, rm, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MergeStage } from "./merge-stage.ts";

/** A session with a commit, an uncommitted file and a changed one, while `main` has another commit. */
async function open(): Promise<MergeStage> {
  const at = await MergeStage.open();
  await at.commit({ "committed.txt": "one\n", ".gitignore": "*.log\n" }, "First");
  await at.write({ "uncommitted.txt": "two\n", "tracked.txt": "mine\n" });
  await at.commitMain({ "theirs.txt": "theirs\n" });
  return at;
}

type Planned = Parameters<MergeStage["settle"]>[0];

/** What a server had on record that was killed before the branches moved. */
async function planned(at: MergeStage): Promise<Planned> {
  const died = new Error("killed");
  let found: Planned | undefined;
  await at.merge({}, async (about) => {
    found = about;
    throw died;
  });
  if (!found) throw new Error("Nothing was planned");
  return found;
}

/** The same, killed right after they moved. */
async function moved(at: MergeStage): Promise<Planned> {
  const about = await planned(at);
  await at.stage.git("update-ref", "refs/heads/main", about.commit);
  await at.stage.git("update-ref", "refs/heads/drover/fox", about.commit);
  return about;
}

const clean = { main: "## main", tree: "## drover/fox" };

describe("after a crash", () => {
  test("a merge that moved nothing changes nothing", async () => {
    await using at = await open();
    const about = await planned(at);
    expect(await at.settle(about)).toEqual({ ok: true, value: false });
    expect((await at.status()).main).toBe("## main");
  });

  test.each(["the branches", "some files", "all files"])(
    "a merge that moved %s is finished",
    async (what) => {
      await using at = await open();
      const about = await moved(at);
      if (what !== "the branches") await at.writeMain({ "tracked.txt": "mine\n" });
      if (what === "all files")
        await at.writeMain({ "committed.txt": "one\n", "uncommitted.txt": "two\n", ".gitignore": "*.log\n" });
      for (const _ of ["once", "again"]) {
        expect(await at.settle(about)).toEqual({ ok: true, value: true });
        expect(await at.status()).toEqual(clean);
      }
      expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
    },
  );

  test("a file that a person has edited since stays as it is", async () => {
    await using at = await open();
    const about = await moved(at);
    await at.writeMain({ "tracked.txt": "edited\n" });
    expect(await at.settle(about)).toEqual({ ok: true, value: true });
    expect((await at.status()).main).toBe("## main\n M tracked.txt");
    expect(await at.read("tracked.txt")).toBe("edited\n");
  });

  test("what a person has staged since stays staged", async () => {
    await using at = await open();
    const about = await moved(at);
    await at.writeMain({ "tracked.txt": "staged\n" });
    await at.stage.git("add", "tracked.txt");
    await at.writeMain({ "tracked.txt": "first\n", "uncommitted.txt": "edited\n" });
    expect(await at.settle(about)).toEqual({ ok: true, value: true });
    expect((await at.status()).main.split("\n").toSorted()).toEqual(
      ["## main", " M uncommitted.txt", "MM tracked.txt"].toSorted(),
    );
    expect(await at.stage.git("show", ":tracked.txt")).toBe("staged");
    expect(await at.read("committed.txt")).toBe("one\n");
  });

  test("commits that came later stay, and the files follow to them", async () => {
    await using at = await open();
    const about = await moved(at);
    const commit = async (top: string, name: string) => {
      await writeFile(join(top, name), "later\n");
      await at.stage.gitIn(top, "add", name);
      await at.stage.gitIn(top, "commit", "-q", "-m", "later", "--", name);
    };
    await commit(at.stage.top, "later.txt");
    await commit(at.tree, "own.txt");
    expect(await at.settle(about)).toEqual({ ok: true, value: true });
    expect(await at.status()).toEqual(clean);
    expect(await at.read("tracked.txt")).toBe("mine\n");
    expect(await at.read("own.txt", at.tree)).toBe("later\n");
  });

  test("a tree that is elsewhere by now stays as it is", async () => {
    await using at = await open();
    const about = await moved(at);
    await at.stage.git("checkout", "-q", "-f", "-b", "elsewhere", "main~1");
    await at.stage.gitIn(at.tree, "checkout", "-q", "-f", "--detach", "main~1");
    const before = await at.status();
    expect(await at.settle(about)).toEqual({ ok: true, value: true });
    expect(await at.status()).toEqual(before);
  });

  test("a merge whose target is gone is known by the session's branch", async () => {
    await using at = await open();
    const about = await moved(at);
    await at.stage.git("checkout", "-q", "-f", "--detach");
    await at.stage.git("branch", "-q", "-D", "main");
    expect(await at.settle(about)).toEqual({ ok: true, value: true });
    expect((await at.status()).tree).toBe("## drover/fox");
  });
});

test("what a review is about is not waited for when git hangs, or when there can be no merge", async () => {
  await using at = await open();
  const bin = at.stage.beside("hanging");
  await mkdir(bin);
  await writeFile(join(bin, "git"), "#!/bin/sh\nexec sleep 1000\n");
  await chmod(join(bin, "git"), 0o755);
  const usual = at.path;
  Object.assign(at, { path: `${bin}:${usual}`, gitTimeoutMs: 300 });
  expect(await at.facts()).toMatchObject({ ok: false, error: { code: "REQUEST_TIMEOUT" } });
  Object.assign(at, { path: usual, gitTimeoutMs: 20_000 });
  await at.stage.git("checkout", "-q", "--detach");
  await at.stage.git("branch", "-q", "-D", "main");
  expect(await at.facts()).toMatchObject({ ok: true, value: { into: "main", files: 4, behind: 0 } });
});

test("the lock that a dead server left on an index does not prevent a merge", async () => {
  await using at = await open();
  const machine = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
  const { pid } = spawnSync("true");
  const draft = at.stage.path(".git", `index.drover-${machine}-${pid}-0123456789ab`);
  await writeFile(draft, "half");
  await link(draft, at.stage.path(".git", "index.lock"));
  await at.merged();
  expect(await at.status()).toEqual(clean);
});

test("a merge that loses the index after it has begun is finished later", async () => {
  await using at = await open();
  const lock = at.stage.path(".git/index.lock");
  let begun: Planned | undefined;
  const merged = await at.merge({}, async (about) => {
    begun = about;
    await writeFile(lock, "");
  });
  if (!begun) throw new Error("Nothing was planned");
  const locked = { ok: false, error: { code: "MERGE_REFUSED", facts: { reason: "locked" } } };
  expect(merged).toMatchObject(locked);
  expect(await at.settle(begun)).toMatchObject(locked);
  await rm(lock);
  expect(await at.settle(begun)).toEqual({ ok: true, value: true });
  expect(await at.status()).toEqual(clean);
});

test("a person's change that comes between the check and the move survives", async () => {
  await using at = await open();
  const merged = await at.merge({}, async () => {
    await at.writeMain({ "tracked.txt": "staged\n", "uncommitted.txt": "untracked\n" });
    await at.stage.git("add", "tracked.txt");
  });
  expect(merged.ok).toBe(true);
  expect((await at.status()).main.split("\n").toSorted()).toEqual(
    ["## main", " M uncommitted.txt", "M  tracked.txt"].toSorted(),
  );
  expect(await at.read("committed.txt")).toBe("one\n");
  expect(await at.stage.git("fsck", "--no-dangling")).toBe("");
});
