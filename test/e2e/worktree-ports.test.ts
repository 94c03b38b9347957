// The ports of a worktree whose files were gone for a while.
import { readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { type Conversation, openSession } from "./support.ts";
import { inWorktree, openWorktreeRig, type WorktreeRig } from "./worktree-rig.ts";

const openWithBlocks = (count: number) =>
  openWorktreeRig({ config: { worktrees: { ports: `21000-${21_000 + count * 10 - 1}` } } });

const firstPort = async (session: Conversation) => (await session.get()).workspace.ports?.[0];

/** Removes the worktree of a session that stays. */
async function removeTree(rig: WorktreeRig, session: Conversation): Promise<void> {
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  const { path } = (await session.get()).workspace;
  await rig.client.post("/api/workspaces/rm", { path, force: true });
}

/** Makes a claim look as if it were made an hour ago: only younger ones count without the files. */
async function age(rig: WorktreeRig, port: number): Promise<void> {
  const claim = join(rig.home, ".local", "state", "drover", "ports", String(port));
  const anHourAgo = Date.now() / 1000 - 3_600;
  await utimes(claim, anHourAgo, anHourAgo);
}

test("W16 a worktree that is made again has its own ports, even if they are needed in the meantime", async () => {
  await using rig = await openWithBlocks(2);
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  expect(await firstPort(fox)).toBe(21_000);
  await removeTree(rig, fox);
  await age(rig, 21_000);
  // A block that nobody has had is taken first.
  await using bat = await openSession(rig, "demo", { ...inWorktree, name: "bat" });
  expect(await firstPort(bat)).toBe(21_010);
  await fox.post("resume");
  await fox.turn("say hello");
  expect(await firstPort(fox)).toBe(21_000);

  await removeTree(rig, fox);
  await age(rig, 21_000);
  await using elk = await openSession(rig, "demo", { ...inWorktree, name: "elk" });
  expect(await firstPort(elk)).toBe(21_000);
  await fox.post("resume").catch(() => undefined);
  const failed = await fox.turn("say hello");
  expect(failed).toMatchObject({ ok: false, error: { code: "WORKSPACE_SETUP_FAILED" } });
  expect(failed.error?.message).toContain("21000 to 21019");
  await rig.client.delete(bat.path("?force=1"));
  await fox.post("resume");
  await fox.turn('run echo "$DROVER_PORT_BASE" > ports.txt');
  expect(await readFile(join(rig.treeOf("fox"), "ports.txt"), "utf8")).toBe("21010\n");
  expect(await firstPort(fox)).toBe(21_010);
  expect(fox.all("notice").filter(({ code }) => code === "PORTS_CHANGED")).toMatchObject([
    { facts: { ports: [21_010, 21_019] } },
  ]);
  await elk.turn('run echo "$DROVER_PORT_BASE" > ports.txt');
  expect(await readFile(join(rig.treeOf("elk"), "ports.txt"), "utf8")).toBe("21000\n");
});

test("W16 a worktree that is restored from kept work shares no ports with the one that got its own", async () => {
  await using rig = await openWithBlocks(1);
  await using fox = await openSession(rig, "demo", { ...inWorktree, name: "fox" });
  await writeFile(join(rig.treeOf("fox"), "draft.txt"), "precious");
  await removeTree(rig, fox);
  await age(rig, 21_000);
  await using bat = await openSession(rig, "demo", { ...inWorktree, name: "bat" });
  expect(await firstPort(bat)).toBe(21_000);
  await rig.client.post("/api/workspaces/restore", { ref: "fox" });
  expect(await fox.turn("say hello")).toMatchObject({ ok: false, error: { code: "WORKSPACE_SETUP_FAILED" } });
  await rig.client.delete(bat.path("?force=1"));
  expect(await fox.turn('run echo "$DROVER_PORT_BASE" > ports.txt')).toMatchObject({ ok: true });
  expect(await readFile(join(rig.treeOf("fox"), "ports.txt"), "utf8")).toBe("21000\n");
});
