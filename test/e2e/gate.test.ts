// Agents that can't ask before they act: what a turn changed in a worktree is approved when it has ended.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Interaction, Merged, Session } from "@drover/core";
import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { approve, deny, editing, fileIn, gateOf, inGate, openGated } from "./gated-agent.ts";
import { sharedRig } from "./shared-rig.ts";
import { type Conversation, openSession } from "./support.ts";

const shared = sharedRig((home) => ({ agents: { kit: editing(home) } }));

const open = () => openGated(shared);

const promptOf = async (session: Conversation, turnId: string) =>
  (await session.items()).find((item) => item.turnId === turnId && item.kind === "text")?.text ?? "";

test("V7 what a turn changed is approved when it has ended, and the queue waits for that", async () => {
  await using rig = await open();
  const read = fileIn(rig, "fox");
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  expect((await session.get()).capabilities.approvals).toBe("gate");
  const { turnId } = await session.turn("write new.txt other\ndelete kept.txt");
  const gate = await gateOf(session);
  expect(gate).toMatchObject({
    ...{ kind: "approval", toolKind: "changes", turnId, title: "2 files +1 −1", scopes: ["once"] },
    sessionName: "fox",
  });
  expect(gate).not.toHaveProperty("deadline");
  const { body: diff } = await rig.client.ask<string>("GET", session.path(`/diff?turn=${turnId}`));
  expect(gate.input).toMatchObject({ diff, before: expect.any(String), after: expect.any(String) });
  expect((await session.get()).state).toBe("waiting_for_input");

  const { messageId, applied } = await session.send("write later.txt two");
  expect(applied).toBe("queued");
  const stale = await approve(rig, session, { toolCallId: gate.id, inputHash: "another" });
  expect(stale).toMatchObject({ status: 409, body: { code: "INPUT_CHANGED" } });
  const body = { toolCallId: gate.id, inputHash: gate.inputHash };
  expect(await approve(rig, session, { ...body, scope: "session" })).toMatchObject({ status: 400 });
  expect(await read("later.txt")).toBeUndefined();
  expect(await approve(rig, session, body)).toMatchObject({ body: { resolution: "approved" } });
  await session.done(messageId);
  expect(await Promise.all(["new.txt", "kept.txt", "later.txt"].map(read))).toEqual([
    "other\n",
    undefined,
    "two\n",
  ]);
  expect(await approve(rig, session, body)).toMatchObject({
    status: 409,
    body: { code: "ALREADY_RESOLVED" },
  });
  expect((await gateOf(session)).id).not.toBe(gate.id);
});

test("V7 a denial puts the files back, and its reason is the next message, before those in the queue", async () => {
  await using rig = await open();
  const read = fileIn(rig, "fox");
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  await session.turn("write new.txt one\nwrite kept.txt two");
  const gate = await gateOf(session);
  await session.send("write queued.txt three");
  const reason = "write other.txt instead";
  const denied = await deny(rig, session, { toolCallId: gate.id, reason });
  expect(denied).toMatchObject({ status: 200, body: { resolution: "denied", reason } });
  const again = await gateOf(session);
  const sent = session.all("message").at(-1);
  expect(sent?.content).toBe(reason);
  expect(await Promise.all(["new.txt", "kept.txt", "other.txt", "queued.txt"].map(read))).toEqual([
    undefined,
    "one\n",
    "instead\n",
    undefined,
  ]);
  const prompt = await promptOf(session, again.turnId ?? "");
  expect(prompt.split(/^\[MESSAGE.*\]$/m).at(-1)).toBe(`\n${reason}`);
  expect(prompt).toMatch(/kept\.txt, new\.txt/);

  // Without a reason, nothing is sent, and the queue goes on.
  await deny(rig, session, { toolCallId: again.id });
  const last = await gateOf(session);
  expect(await Promise.all(["other.txt", "queued.txt"].map(read))).toEqual([undefined, "three\n"]);
  expect(session.all("message")).toHaveLength(3);
  expect(session.all("turn_changes").filter(({ reverts }) => reverts)).toHaveLength(2);
  expect(last.title).toBe("1 file +1 −0");
});

test("V7 nothing is merged, updated or forked into a worktree before it is approved", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  await session.turn("write new.txt one");
  const { id: interactionId } = await gateOf(session);
  const before = await rig.git("for-each-ref");
  for (const [method, path, body] of [
    ["GET", "/merge", undefined],
    ["POST", "/merge", {}],
    ["POST", "/update", {}],
    ["POST", "/fork", { workspace: "worktree" }],
  ] as const) {
    const refused = await rig.client.ask(method, session.path(path), body ? { body } : {});
    const facts = { code: "MERGE_REFUSED", reason: "gate", interactionId };
    expect([path, refused]).toMatchObject([path, { status: 409, body: facts }]);
  }
  expect(await rig.git("for-each-ref")).toBe(before);
  await approve(rig, session, { toolCallId: interactionId });
  const { commit } = await session.post<Merged>("merge");
  expect(await rig.git("show", `${commit}:new.txt`)).toBe("one");
});

test("only changes in a worktree and in mode ask are held back", async () => {
  await using rig = await open();
  const turns: [string, Record<string, unknown>, string][] = [
    ["edits", { ...inGate, permissionMode: "acceptEdits" }, "write: "],
    ["all", { ...inGate, permissionMode: "never" }, "write: "],
    ["plans", { ...inGate, permissionMode: "plan" }, "read: "],
    ["local", {}, "read: "],
    ["same", inGate, "write: "],
  ];
  for (const [name, fields, started] of turns) {
    await using session = await openSession(rig, "kit", { ...fields, name });
    const text = name === "same" ? "write kept.txt one" : "write new.txt one";
    const { turnId, reason } = await session.turn(text);
    expect([name, reason]).toEqual([name, "end_turn"]);
    expect((await promptOf(session, turnId)).startsWith(started)).toBe(true);
    // The next turn would wait.
    await session.turn("say nothing");
    expect([name, session.all("approval_required")]).toEqual([name, []]);
    const { capabilities } = await session.get();
    expect(capabilities.approvals).toBe(name === "local" ? "none" : "gate");
  }
});

test("what a turn changed is approved however it ended, late changes included", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  // The program writes again after it has reported the end of its turn.
  const { turnId } = await session.turn("late new.txt one");
  const late = await gateOf(session);
  expect(late.turnId).toBe(turnId);
  expect(late.input).toMatchObject({ diff: expect.stringContaining("+one") });
  await approve(rig, session, { toolCallId: late.id });
  expect(await session.turn("write new.txt two\ndie")).toMatchObject({ ok: false });
  const crashed = await gateOf(session);
  expect(crashed.input).toMatchObject({ diff: expect.stringContaining("+two") });
  await approve(rig, session, { toolCallId: crashed.id });
  const { messageId } = await session.send("write new.txt three\nwait");
  await until(async () => (await fileIn(rig, "fox")("new.txt")) === "three\n");
  await session.post("interrupt");
  expect(await session.done(messageId)).toMatchObject({ reason: "cancelled" });
  const interrupted = await gateOf(session);
  await deny(rig, session, { toolCallId: interrupted.id });
  expect(await fileIn(rig, "fox")("new.txt")).toBe("two\n");
});

test("a denial that would lose someone else's change is refused, and an undo leaves nothing to approve", async () => {
  await using rig = await open();
  const read = fileIn(rig, "fox");
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  const { turnId } = await session.turn("write new.txt one\nwrite kept.txt two");
  const gate = await gateOf(session);
  await writeFile(join(rig.treeOf("fox"), "new.txt"), "mine\n");
  const refused = await deny(rig, session, { toolCallId: gate.id, reason: "No" });
  expect(refused).toMatchObject({ status: 409, body: { code: "REVERT_CONFLICT", files: ["new.txt"] } });
  expect(await Promise.all(["new.txt", "kept.txt"].map(read))).toEqual(["mine\n", "two\n"]);
  expect((await gateOf(session)).id).toBe(gate.id);

  // Undoing one file leaves the approval open; undoing the turn settles it.
  await session.post("revert", { turnId, paths: ["kept.txt"] });
  expect((await gateOf(session)).id).toBe(gate.id);
  const { messageId } = await session.send("say next");
  await session.post("revert", { turnId, force: true });
  await session.done(messageId);
  const resolved = session.all("interaction_resolved").at(-1);
  expect(resolved).toMatchObject({ interactionId: gate.id, resolution: "cancelled" });
  expect(await Promise.all(["new.txt", "kept.txt"].map(read))).toEqual([undefined, "one\n"]);
});

test("an approval outlives a stop and an archive, and ends with its session", async () => {
  await using rig = await open();
  await using session = await openSession(rig, "kit", { ...inGate, name: "fox" });
  await session.turn("write new.txt one");
  const gate = await gateOf(session);
  await session.post("stop");
  await until(async () => (await session.get()).state === "stopped");
  await rig.client.patch<Session>(session.path(), { archived: true });
  await session.post("resume");
  expect((await session.get()).state).toBe("waiting_for_input");
  // A message does not slip past it.
  expect((await session.send("write new.txt two")).applied).toBe("queued");
  await deny(rig, session, { toolCallId: gate.id, reason: "write better.txt three" });
  const next = await gateOf(session);
  expect(await fileIn(rig, "fox")("better.txt")).toBe("three\n");
  await rig.client.delete(session.path("?force=1"));
  await session.follower.until<EventOf<"interaction_resolved">>(
    (event) => event.type === "interaction_resolved" && event.interactionId === next.id,
  );
  const { interactions } = await rig.client.get<{ interactions: Interaction[] }>("/api/interactions");
  expect(interactions).toEqual([]);
});
