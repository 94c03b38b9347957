import { expect, test } from "vitest";
import { until } from "../kit/until.ts";
import { asked } from "./asking.ts";
import { openRig, openSession } from "./support.ts";

test("a silent turn is shown as stalled, keeps its process, and runs again with the agent's next output", async () => {
  await using rig = await openRig({ config: { sessions: { stallAfter: "400ms" } } });
  await using session = await openSession(rig, "demo");
  const { messageId } = await session.send("slow 1200\nstream 3");
  await session.follower.until((event) => event.type === "session_status" && event.state === "stalled", {
    what: "the session is stalled",
  });
  expect((await session.get()).connection.status).toBe("connected");
  const done = await session.done(messageId);
  expect(done).toMatchObject({ reason: "end_turn", ok: true });
  expect(session.follower.text()).toBe("word1 word2 word3\n");
  const states = session.all("session_status").map(({ state }) => state);
  const stalled = states.indexOf("stalled");
  expect(states[stalled + 1]).toBe("running");
  expect((await session.get()).state).toBe("idle");
});

test("a turn that waits for a person is never shown as stalled", async () => {
  await using rig = await openRig({ config: { sessions: { stallAfter: "200ms" } } });
  await using session = await openSession(rig, "demo");
  const { messageId, toolCallId, createdAt, seq } = await asked(session, "run true");
  await until(() => Date.now() - Date.parse(createdAt) > 600, { what: "three times the limit has passed" });
  expect((await session.get()).state).toBe("waiting_for_input");
  await session.post("approve", { toolCallId });
  await session.done(messageId);
  // Before the request and after the answer, an agent on a busy machine may well be silent for that long.
  const answered = session.all("interaction_resolved").at(0)?.seq ?? 0;
  const waiting = session.all("session_status").filter((event) => event.seq > seq && event.seq < answered);
  expect(waiting.map(({ state }) => state)).not.toContain("stalled");
  expect(answered).toBeGreaterThan(seq);
});
