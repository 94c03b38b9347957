// The server is killed at every git command it runs for a checkpoint, a revert, a discard or a commit.
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf } from "@drover/core";
import { expect, test } from "vitest";
import { holdIndex } from "../../packages/server/test/git/hold-index.ts";
import { until } from "../kit/until.ts";
import { atEveryCommand, deadlyGit } from "./deadly-git.ts";
import { openTracked, Tracked } from "./repository.ts";
import { openRig, openSession } from "./support.ts";

// On a busy machine a checkpoint can take longer than a turn usually waits for it.
const openDeadly = () => openRig(deadlyGit({ checkpoints: { timeout: "60s" } }));

/** What must hold whatever was cut off: a sound repository, and no lock that would stop the user's git. */
async function expectSound(tracked: Tracked): Promise<void> {
  expect(await tracked.git("fsck", "--strict", "--no-dangling")).toBe("");
  const files = await readdir(join(tracked.top, ".git"), { recursive: true });
  expect(files.filter((file) => file.endsWith(".lock"))).toEqual([]);
  expect(await tracked.read("loose.txt")).toBe("precious\n");
}

const filesOf = (tracked: Tracked) =>
  Promise.all(["kept.txt", "gone.txt", "new.txt"].map((name) => tracked.read(name).catch(() => undefined)));

test("T6 kill -9 at any command of a turn's checkpoints: the next server completes them, and no file is lost", {
  timeout: 600_000,
}, async () => {
  await using rig = await openDeadly();
  await using repository = await openTracked(rig);
  await repository.write("loose.txt", "precious\n");
  await repository.write("kept.txt", "start\n");
  const own = await repository.own();
  await using stack = new AsyncDisposableStack();
  let tracked = repository;
  let [round, before, turnId] = [0, "", ""];
  let changes: Promise<EventOf<"turn_changes">> | undefined;
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      round += 1;
      before = await repository.read("kept.txt");
      // A session's first checkpoint takes the most commands.
      const session = await openSession(rig, "demo", { permissionMode: "never", cwd: repository.top });
      tracked = stack.use(new Tracked(session, rig, repository.top));
    },
    attempt: async () => {
      ({ turnId = "" } = await tracked.session.send(`write kept.txt round ${round}`));
      changes = tracked.changesOf(turnId);
      await changes;
    },
    check: async () => {
      expect(await changes).toMatchObject({ turnId, files: 1, added: 1, removed: 1 });
      expect(await tracked.diff(`turn=${turnId}`)).toContain(`-${before.trim()}\n`);
      const ref = `refs/drover/${tracked.session.id}/${turnId}`;
      expect(await tracked.git("show", `${ref}/before:kept.txt`)).toBe(before.trim());
      expect(await tracked.git("show", `${ref}/after:kept.txt`)).toBe(`round ${round}`);
      expect(await tracked.git("show", `${ref}/after:loose.txt`)).toBe("precious");
      expect(await tracked.read("kept.txt")).toBe(`round ${round}`);
      expect(await tracked.own()).toBe(own);
      expect(tracked.session.all("notice")).toEqual([]);
      await expectSound(tracked);
    },
  });
  expect(commands).toBeGreaterThan(10);
});

test("T6 kill -9 at any command of a revert leaves it done or not done, and either can be continued", {
  timeout: 600_000,
}, async () => {
  await using rig = await openDeadly();
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await tracked.write("loose.txt", "precious\n");
  const original = ["one\n", "gone\n", undefined];
  const changed = ["two", undefined, "new"];
  let turnId = "";
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      await tracked.write("kept.txt", "one\n");
      await tracked.write("gone.txt", "gone\n");
      await tracked.remove("new.txt").catch(() => undefined);
      ({ turnId } = await tracked.change("write kept.txt two\nrun rm gone.txt\nwrite new.txt new"));
    },
    attempt: () => tracked.revert({ turnId }),
    check: async () => {
      // Waits until the next server has finished what it found.
      await tracked.diff("against=start");
      const isDone = (await tracked.read("kept.txt")) === "one\n";
      expect(await filesOf(tracked)).toEqual(isDone ? original : changed);
      if (!isDone) expect(await tracked.revert({ turnId })).toMatchObject({ status: 200 });
      expect(await filesOf(tracked)).toEqual(original);
      const reverted = await until(() =>
        session.all("turn_changes").findLast(({ reverts }) => reverts === turnId),
      );
      expect(reverted).toMatchObject({ files: 3 });
      expect(reverted).not.toHaveProperty("partly");
      expect(await tracked.revert({ turnId: reverted.turnId })).toMatchObject({ status: 200 });
      expect(await filesOf(tracked)).toEqual(changed);
      await expectSound(tracked);
    },
  });
  expect(commands).toBeGreaterThan(10);
});

test("T6 kill -9 at any command of a discard leaves it done or not done, and it can be undone", {
  timeout: 600_000,
}, async () => {
  await using rig = await openDeadly();
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await tracked.write("loose.txt", "precious\n");
  await tracked.write("gone.txt", "gone\n");
  await tracked.git("add", "gone.txt");
  await tracked.git("commit", "-q", "-m", "gone");
  const committed = ["one\n", "gone\n", undefined];
  const changed = ["two\n", undefined, "new\n"];
  const paths = ["kept.txt", "gone.txt", "new.txt"];
  let earlier = 0;
  const discards = () => session.all("turn_changes").filter(({ discarded }) => discarded);
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      await tracked.write("kept.txt", "two\n");
      await tracked.git("add", "kept.txt");
      await tracked.remove("gone.txt").catch(() => undefined);
      await tracked.write("new.txt", "new\n");
      earlier = discards().length;
    },
    attempt: () => tracked.discard({ paths }),
    check: async () => {
      await tracked.diff("against=start");
      const isDone = (await tracked.read("kept.txt")) === "one\n";
      expect(await filesOf(tracked)).toEqual(isDone ? committed : changed);
      if (!isDone) expect(await tracked.discard({ paths })).toMatchObject({ status: 200 });
      expect(await filesOf(tracked)).toEqual(committed);
      expect(await tracked.git("status", "--porcelain")).toBe("?? loose.txt");
      await until(() => discards().length > earlier);
      expect(await tracked.revert({ turnId: discards().at(-1)?.turnId })).toMatchObject({ status: 200 });
      expect(await filesOf(tracked)).toEqual(changed);
      await expectSound(tracked);
    },
  });
  expect(commands).toBeGreaterThan(10);
});

test("kill -9 at any command of a commit leaves it done or not done, and the next server removes the lock it left", {
  timeout: 600_000,
}, async () => {
  await using rig = await openDeadly();
  await using tracked = await openTracked(rig);
  await tracked.identify();
  await tracked.write("loose.txt", "precious\n");
  const subject = () => tracked.git("log", "-1", "--format=%s");
  const index = join(tracked.top, ".git", "index");
  let round = 0;
  const message = () => `round ${round}`;
  const commands = await atEveryCommand(rig, {
    prepare: async () => {
      round += 1;
      await tracked.write("kept.txt", `${message()}\n`);
      await tracked.write(`new-${round}.txt`, "new\n");
      // What a server that is killed while it replaces the index leaves behind.
      if (round === 1) await (await holdIndex(index, index)).kill9();
      expect(existsSync(`${index}.lock`)).toBe(round === 1);
    },
    attempt: () => tracked.commit({ message: message(), paths: ["kept.txt", `new-${round}.txt`] }),
    check: async () => {
      await until(async () => !existsSync(`${index}.lock`));
      expect(await tracked.read("kept.txt")).toBe(`${message()}\n`);
      if ((await subject()) !== message()) {
        expect(await tracked.git("diff", "HEAD", "--name-only")).toContain("kept.txt");
        expect(
          await tracked.commit({ message: message(), paths: ["kept.txt", `new-${round}.txt`] }),
        ).toMatchObject({ status: 200 });
      }
      expect(await subject()).toBe(message());
      expect(await tracked.git("status", "--porcelain")).toBe("?? loose.txt");
      expect(await tracked.git("show", "HEAD:kept.txt")).toBe(message());
      await expectSound(tracked);
    },
  });
  expect(commands).toBeGreaterThan(5);
});
