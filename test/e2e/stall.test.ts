import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { openRig, openSession } from "./support.ts";

test("a silent turn is shown as stalled, lives on, and runs again with the agent's next word", async () => {
  await using rig = await openRig({ config: { sessions: { stallAfter: "400ms" } } });
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("slow 1200\nstream 3");
  await until(async () => (await session.get()).state === "stalled", { what: "the session is stalled" });
  expect((await session.get()).connection.status).toBe("connected");
  const done = await session.done(messageId);
  expect(done).toMatchObject({ reason: "end_turn", ok: true });
  expect(session.follower.text()).toBe("word1 word2 word3\n");
  const told = session.all("session_status").map(({ state }) => state);
  const stalled = told.indexOf("stalled");
  expect(told[stalled + 1]).toBe("running");
  expect((await session.get()).state).toBe("idle");
});

test("a turn that waits for a person is not stalled, however long that takes", async () => {
  await using rig = await openRig({ config: { sessions: { stallAfter: "200ms" } } });
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("run true");
  const [open] = await until(async () => {
    const found = await session.openInteractions();
    return found.length > 0 ? found : undefined;
  });
  const asked = Date.parse(open?.createdAt ?? "");
  await until(() => Date.now() - asked > 600, { what: "three times the limit has passed" });
  expect((await session.get()).state).toBe("waiting_for_input");
  await session.post("approve", { toolCallId: open?.id });
  await session.done(messageId);
  expect(session.all("session_status").map(({ state }) => state)).not.toContain("stalled");
});
