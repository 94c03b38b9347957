// Checkpoints when git is slow, and when the server dies at any step of one.
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { usually } from "../kit/soak.ts";
import { until } from "../kit/until.ts";
import { killsAt, leaveAlone, meddle, meddledGit } from "./meddled-git.ts";
import { openTracked } from "./repository.ts";
import { sharedRig } from "./shared-rig.ts";
import { openRig } from "./support.ts";

test("T4 a checkpoint that takes too long is skipped with a notice, the turn continues, and after two of them checkpoints move to the background", async () => {
  await using rig = await openRig(meddledGit({ checkpoints: { timeout: "2s" } }));
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await meddle(rig, 'case "$*" in *" status "*) sleep 1000;; esac\n');
  const { turnId, ok } = await session.turn("write kept.txt two");
  expect(ok).toBe(true);
  const isBackground = { code: "CHECKPOINTS_IN_BACKGROUND" };
  await until(() => session.all("notice").some(({ code }) => code === isBackground.code));
  const skipped = (when: string) => ({
    code: "CHECKPOINT_SKIPPED",
    facts: { turnId, when, reason: "timeout", limitMs: 2_000 },
  });
  expect(session.all("notice")).toMatchObject([skipped("before"), skipped("after"), isBackground]);
  expect(await tracked.revert({ turnId })).toMatchObject({ status: 404 });
  await leaveAlone(rig);
  await session.turn("say in the background");
  // The checkpoint after that turn succeeded, so the next turn has both.
  await until(async () => (await tracked.git("for-each-ref", "refs/drover")).includes("/after"));
  expect(await tracked.change("write kept.txt three")).toMatchObject({ files: 1 });
  expect(await tracked.revert()).toMatchObject({ status: 200 });
  expect(await tracked.read("kept.txt")).toBe("two");
});

test("T4 a session whose checkpoints were all skipped can't be compared with its start, and says so", async () => {
  await using rig = await openRig(meddledGit());
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  await meddle(rig, 'case "$*" in *" status "*) exit 1;; esac\n');
  await session.turn("write kept.txt two");
  await until(() => session.all("notice").some(({ code }) => code === "CHECKPOINTS_IN_BACKGROUND"));
  await leaveAlone(rig);
  const ask = () => rig.client.ask<Record<string, unknown>>("GET", session.path("/workspace?against=start"));
  // On a busy machine, looking at the files can take too long.
  const { status, body } = await until(async () => {
    const answer = await ask();
    return answer.status !== 408 && answer;
  });
  expect({ status, ...body }).toMatchObject({ status: 404, code: "NOT_FOUND", what: "checkpoint" });
});

/** Steps of a checkpoint: until a ref keeps it, the next server starts over. */
const steps = [
  ["before it stores them", "update-index"],
  ["before a ref keeps it", "update-ref"],
  ["before it compares", "numstat"],
];
const otherSteps = [
  ["before it looks at the files", "status"],
  ["before it has their tree", "write-tree"],
  ["before it has a commit", "commit-tree"],
];

describe("after kill -9", () => {
  // On a busy machine a checkpoint can take longer than a turn usually waits for it.
  const rig = sharedRig(meddledGit({ checkpoints: { timeout: "60s" } }));

  test.each(usually(steps, { inSoak: [...steps, ...otherSteps] }))(
    "T6 a server killed after a turn, %s, ends its checkpoint with the next one",
    async (_, step) => {
      await using tracked = await openTracked(rig);
      await tracked.write("loose.txt", "loose\n");
      await writeFile(join(rig.home, "bin", "next"), killsAt(step));
      // After writing its files, the agent itself arranges for the server to die at the next step.
      const { messageId, turnId = "" } = await tracked.session.send(
        "write kept.txt two\nrun mv ../../bin/next ../../bin/git-meddle",
      );
      await rig.server.exited;
      await rig.start();
      expect(await tracked.session.done(messageId)).toMatchObject({ ok: true });
      expect(await tracked.changesOf(turnId)).toMatchObject({ files: 1, added: 1, removed: 1 });
      expect(await tracked.diff(`turn=${turnId}`)).toContain("-one\n+two");
      expect(await tracked.revert({ turnId })).toMatchObject({ status: 200, body: { files: ["kept.txt"] } });
      expect(await tracked.read("kept.txt")).toBe("one\n");
    },
  );

  test("T6 a server killed before it sent a prompt takes the checkpoint with the next prompt", async () => {
    await using tracked = await openTracked(rig);
    await meddle(rig, killsAt("status"));
    const { turnId = "" } = await tracked.session.send("write kept.txt two");
    await rig.server.exited;
    await rig.start();
    expect(await tracked.changesOf(turnId)).toMatchObject({ files: 1 });
    expect(await tracked.revert({ turnId })).toMatchObject({ status: 200 });
    expect(await tracked.read("kept.txt")).toBe("one\n");
  });

  test.each(usually(["read-tree", "update-ref"], { inSoak: ["read-tree", "update-ref", "status"] }))(
    "T6 a revert that dies at its %s completes when it is requested again",
    async (step) => {
      await using tracked = await openTracked(rig);
      const { turnId } = await tracked.change("write kept.txt two");
      await meddle(rig, killsAt(step));
      await tracked.revert({ turnId }).catch(() => undefined);
      await rig.server.exited;
      await rig.start();
      await until(async () => (await tracked.revert({ turnId })).status === 200);
      expect(await tracked.read("kept.txt")).toBe("one\n");
    },
  );
});

test("a revert that kill -9 cuts off after it wrote the files is in the next server's log, and can be undone", async () => {
  await using rig = await openRig(meddledGit());
  await using tracked = await openTracked(rig);
  const { turnId } = await tracked.change("write kept.txt two");
  await meddle(rig, killsAt("numstat"));
  await tracked.revert({ turnId }).catch(() => undefined);
  await rig.server.exited;
  expect(await tracked.read("kept.txt")).toBe("one\n");
  await rig.start();
  const isRevert = () => tracked.session.all("turn_changes").find(({ reverts }) => reverts === turnId);
  const reverted = await until(isRevert);
  expect(reverted).toMatchObject({ files: 1 });
  expect(reverted).not.toHaveProperty("partly");
  expect(await tracked.revert({ turnId: reverted.turnId })).toMatchObject({ status: 200 });
  expect(await tracked.read("kept.txt")).toBe("two");
});

test("a checkpoint that can't be written because of a file-size limit is skipped with a notice, and damages nothing", async () => {
  await using rig = await openRig(meddledGit());
  await using tracked = await openTracked(rig);
  const { session } = tracked;
  // Random bytes can't be compressed to less than the limit.
  await writeFile(join(tracked.top, "large.bin"), randomBytes(100_000));
  await meddle(rig, "ulimit -f 20\n");
  const own = await tracked.own();
  const { turnId, ok } = await session.turn("say hello");
  expect(ok).toBe(true);
  const skipped = (when: string) => ({
    code: "CHECKPOINT_SKIPPED",
    facts: { turnId, when, reason: "failed" },
  });
  await until(() => session.all("notice").length >= 2);
  expect(session.all("notice").slice(0, 2)).toMatchObject([skipped("before"), skipped("after")]);
  expect(await tracked.git("fsck", "--strict", "--no-dangling")).toBe("");
  expect(await tracked.own()).toBe(own);
  await leaveAlone(rig);
  // After two skipped ones, checkpoints are taken in the background; once one succeeds, the next turn has both.
  await session.turn("say there is room again");
  await until(async () => (await tracked.git("for-each-ref", "refs/drover")).includes("/after"));
  expect(await tracked.change("write kept.txt two")).toMatchObject({ files: 1 });
  expect(await tracked.revert()).toMatchObject({ status: 200 });
  expect(await tracked.read("kept.txt")).toBe("one\n");
});
