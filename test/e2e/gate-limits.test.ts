// What an approval of a turn's changes can and can't show, and how a terminal shows it.
import type { EventOf } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { approve, deny, editing, fileIn, gateOf, inGate, openGated } from "./gated-agent.ts";
import { leaveAlone, meddle, meddledGit } from "./meddled-git.ts";
import { sharedRig } from "./shared-rig.ts";
import { drover, openSession, release } from "./support.ts";
import { openWorktreeRig } from "./worktree-rig.ts";

const shared = sharedRig((home) => ({
  agents: { kit: editing(home) },
  config: { checkpoints: { maxFile: "64KiB" } },
}));
const open = () => openGated(shared);

test("a diff that is too long to show says so, and how to see all of it", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  const lines = Array.from({ length: 60 }, (_, at) => `write file-${at}.txt ${"x".repeat(8_000)}`);
  const { turnId } = await session.turn(lines.join("\n"));
  const { input } = (await gateOf(session)) as { input: { incomplete: string; diff: string } };
  expect(input.incomplete).toContain(`drover diff fox --turn ${turnId}`);
  expect(input.diff.length).toBeLessThanOrEqual(256 * 1024);
  expect(input.diff.endsWith("\n")).toBe(true);
  const { stdout } = await drover(rig.home, "diff", "fox", "--turn", turnId);
  expect(stdout.startsWith(input.diff)).toBe(true);
  expect(stdout.length).toBeGreaterThan(480_000);
});

test("files that no checkpoint has are named for approval", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  await session.turn(`write big.txt ${"x".repeat(70_000)}`);
  const { title, input, id } = await gateOf(session);
  expect(title).toBe("Files that checkpoints leave out");
  expect(input).toMatchObject({ incomplete: expect.stringContaining("big.txt (too large)"), diff: "" });
  await approve(rig, session, { toolCallId: id });
  // It is known by now.
  await session.turn("say nothing");
  await session.turn("say nothing again");
  expect(session.all("approval_required")).toHaveLength(1);
});

test("V7 the terminal shows exactly what changed, and decides", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  await session.turn("write new.txt a\u202eb");
  const { id } = await gateOf(session);
  const { stdout } = await drover(rig.home, "permit");
  expect(stdout).toContain(id);
  expect(stdout).toContain("+a⟨U+202E⟩b");
  expect(stdout).toContain("1 file +1 −0");
  const denied = await drover(rig.home, "permit", "deny", id, "--reason", "write new.txt b");
  expect(denied.code).toBe(0);
  const next = await gateOf(session);
  expect((await drover(rig.home, "permit", "allow", next.id)).code).toBe(0);
  expect(await fileIn(rig, "fox")("new.txt")).toBe("b\n");
});

test("without a checkpoint before a turn its agent only reads; without one after it, a person is asked all the same", async () => {
  await using rig = await openWorktreeRig(async (home) => ({
    ...(await meddledGit()(home)),
    agents: { kit: editing(home) },
  }));
  const read = fileIn(rig, "fox");
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  const fails = () => meddle(rig, 'case "$*" in *" status "*) exit 1;; esac\n');
  await fails();
  await session.turn("write new.txt one");
  expect(await read("new.txt")).toBeUndefined();
  const { message } = await session.follower.until<EventOf<"notice">>(({ type }) => type === "notice");
  expect(message).toMatch(/the agent may only read in this turn/);
  await leaveAlone(rig);

  const { messageId } = await session.send("write new.txt two\nwait");
  await until(async () => (await read("new.txt")) === "two\n");
  await fails();
  await release(rig);
  await session.done(messageId);
  const gate = await gateOf(session);
  expect(gate).toMatchObject({ input: { incomplete: expect.stringContaining("does not know") } });
  expect(gate.input).not.toHaveProperty("diff");
  expect(await deny(rig, session, { toolCallId: gate.id })).toMatchObject({ status: 400 });
  expect((await gateOf(session)).id).toBe(gate.id);
  await leaveAlone(rig);
  expect(await deny(rig, session, { toolCallId: gate.id })).toMatchObject({ status: 200 });
  expect(await read("new.txt")).toBeUndefined();
});
