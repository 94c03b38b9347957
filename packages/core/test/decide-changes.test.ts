import { type EventBody, openChangeGate } from "@drover/core";
import { expect, test } from "vitest";
import { makeContext, TestSession } from "./test-session.ts";

const input = { diff: "+one\n", before: "b", after: "a" };

/** A session whose last turn changed something. */
function gated(session: Parameters<typeof makeContext>[0] = {}): TestSession {
  const test = new TestSession(session);
  const changes = { files: 1, added: 1, removed: 0 };
  test.fold([openChangeGate({ turnId: "trn_1", changes, input }, makeContext())]);
  return test;
}

const gateOf = ({ state }: TestSession) => {
  const [gate, ...more] = state.interactions;
  if (!gate || more.length > 0) throw new Error("Not one gate");
  return gate;
};

const types = (events: readonly EventBody[]) => events.map(({ type }) => type);

test("V7 a change gate binds the checkpoints and has no deadline", () => {
  const gate = gateOf(gated());
  expect(gate).toMatchObject({
    ...{ kind: "approval", toolKind: "changes", turnId: "trn_1", title: "1 file +1 −0", scopes: ["once"] },
    ...{ input, inputHash: JSON.stringify(input), state: "open" },
  });
  expect(gate).not.toHaveProperty("deadline");
});

test("V7 messages wait in the queue while a gate is open, or due", () => {
  for (const session of [gated(), new TestSession({ isGateDue: true })]) {
    expect(session.send("next")?.applied).toBe("queued");
    expect(session.do({ type: "start_next" }).events).toEqual([]);
    expect(session.state.turn).toBeUndefined();
  }
});

test("V7 a gate outlives its agent's process, a stop and an interrupt", () => {
  const session = gated();
  for (const command of [{ type: "release", cause: "agent_gone" }, { type: "stop" }] as const) {
    expect(types(session.do(command).events)).not.toContain("interaction_resolved");
  }
  expect(gateOf(session).state).toBe("open");
});

test("V7 approving needs the hash that was shown, and can't be for the session or amended", () => {
  const session = gated({ canAmend: true });
  const { id: toolCallId } = gateOf(session);
  const approve = { type: "approve", toolCallId, by: "api", scope: "once" } as const;
  expect(session.try({ ...approve, inputHash: "other" })).toMatchObject({ error: { code: "INPUT_CHANGED" } });
  expect(session.try({ ...approve, scope: "session" })).toMatchObject({ error: { code: "UNSUPPORTED" } });
  expect(session.do({ ...approve, inputHash: JSON.stringify(input) }).grant).toBeUndefined();
  expect(session.state.interactions).toEqual([]);
  expect(session.try(approve)).toMatchObject({ error: { code: "NOT_FOUND" } });
});

test.for([
  ["without a reason", {}, undefined, ["interaction_resolved"]],
  ["with an empty reason", {}, "  ", ["interaction_resolved"]],
  ["with a reason", {}, "No", ["interaction_resolved", "turn_start", "message"]],
  [
    "with a reason, while the session stops",
    { mustWait: true },
    "No",
    ["interaction_resolved", "queue_update"],
  ],
] as const)("V7 a denial %s", ([, context, reason, expected]) => {
  const session = gated(context);
  session.send("queued");
  const { id: toolCallId } = gateOf(session);
  const denial = {
    type: "deny",
    toolCallId,
    by: "web:1",
    clientId: "1",
    ...(reason ? { reason } : {}),
  } as const;
  const { events, attempt } = session.do(denial);
  expect(types(events)).toEqual(expected);
  expect(events[0]).toMatchObject({ resolution: "denied", by: "web:1" });
  const { queue, turn, lastSeq } = session.state;
  // Before what waits in the queue, which stays as it is.
  expect(queue.map(({ content }) => content)).toEqual("mustWait" in context ? ["No", "queued"] : ["queued"]);
  expect(attempt?.prompt.seq).toBe(turn && lastSeq);
  expect(turn?.lockedBy).toBe(turn && "1");
});
