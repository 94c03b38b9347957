import {
  type AgentFact,
  type Attempt,
  type DecisionContext,
  type EventBody,
  emptyState,
  emptyTimeline,
  firstAttempt,
  Recorder,
} from "@drover/core";
import { describe, expect, test } from "vitest";
import { hashOf, newId } from "../../src/engine/ids.ts";
import { type BatchContext, recordBatch } from "../../src/engine/intake/record-batch.ts";

const decisionContext: DecisionContext = {
  now: new Date(0).toISOString(),
  newId,
  hash: hashOf,
  session: {
    ...{ id: "ses_1", name: "brave-otter", agent: "test", title: "", cwd: "/work" },
    ...{ permissionMode: "ask", grants: [], mustWait: false, isStopping: false },
    ...{ denyReasonReachesAgent: true, canAmend: false, canSteer: false },
  },
  queueMax: 50,
  interactionTimeoutMs: 60_000,
};

const context = (recorder: Recorder): BatchContext => ({
  ...{ sessionId: "ses_1", state: emptyState, runtime: { run: 1, pending: {}, stopping: false } },
  ...{
    recorder,
    decisionContext,
    isToolCallUsed: () => false,
    denied: [],
    followUps: () => ({ maxAttempts: 1 }),
  },
});

const call = { toolCallId: "c", toolName: "Bash", title: "t" } as const;
const start: AgentFact = { type: "tool_start", ...call, kind: "execute" };
const ask: AgentFact = {
  ...{ type: "approval_request", requestKey: "1", ...call, toolKind: "execute" },
  ...{ input: { command: "first" } },
} as const;
const change = (command: string): AgentFact => ({
  type: "approval_changed",
  toolCallId: "c",
  input: { command },
});

function shownBy(facts: readonly AgentFact[], recorder = new Recorder(emptyTimeline)): unknown[] {
  const { events = [] } = recordBatch({ facts, position: 1 }, context(recorder));
  return events.flatMap((event: EventBody) => (event.type === "approval_required" ? [event.input] : []));
}

describe("H8 an agent that keeps changing its request", () => {
  test("has only the last change of a batch stored", () => {
    const changes = Array.from({ length: 50 }, (_, at) => change(`change ${at}`));
    expect(shownBy([start, ask, ...changes])).toEqual([{ command: "first" }, { command: "change 49" }]);
  });

  test("has changes of two requests for one call stored separately", () => {
    const facts = [start, ask, change("a"), change("b"), { ...ask, requestKey: "2" }, change("c")];
    expect(shownBy(facts)).toEqual([
      ...[{ command: "first" }, { command: "b" }, { command: "first" }],
      // The second change applies to both open requests.
      ...[{ command: "c" }, { command: "c" }],
    ]);
  });

  test("ends its turn with AGENT_PROTOCOL at the 101st change", () => {
    let recorder = new Recorder(emptyTimeline);
    shownBy([start, ask], recorder);
    for (let at = 0; at < 100; at++) {
      recorder = recorder.copy();
      shownBy([change(`change ${at}`)], recorder);
    }
    expect(() => shownBy([change("one more")], recorder.copy())).toThrow(
      expect.objectContaining({ code: "AGENT_PROTOCOL", message: expect.stringContaining("100 changes") }),
    );
  });
});

test("a request that its agent withdraws is settled, also in a later batch", () => {
  const recorder = new Recorder(emptyTimeline);
  const withdrawal: AgentFact = { type: "request_withdrawn", requestKey: "1" };
  const at = context(recorder);
  const settled = { type: "interaction_resolved", resolution: "cancelled", by: "server" };
  const once = recordBatch({ facts: [start, ask, withdrawal], position: 1 }, at);
  expect(once.events?.at(-1)).toMatchObject(settled);
  expect(once.runtime?.pending).toMatchObject({ "1": { answer: { type: "cancelled" } } });

  const asked = recordBatch({ facts: [ask], position: 1 }, at);
  const state = { ...emptyState, interactions: asked.events?.filter(isOpened) ?? [] };
  const runtime = { ...at.runtime, pending: asked.runtime?.pending ?? {} };
  const facts = [{ ...withdrawal, requestKey: "2" }, withdrawal, withdrawal];
  const later = recordBatch({ facts, position: 2 }, { ...at, state, runtime });
  expect(later.events).toMatchObject([settled]);
});

const isOpened = (event: EventBody) => event.type === "approval_required";

describe("an agent's own commands", () => {
  const commands = [{ name: "tour" }];
  const recorded = (state = emptyState) =>
    recordBatch(
      { facts: [{ type: "commands", commands }], position: 1 },
      { ...context(new Recorder(emptyTimeline)), state },
    );

  test("are stored once, however often the agent announces them", () => {
    const { events = [] } = recorded();
    expect(events).toMatchObject([{ type: "commands", commands }]);
    const digest = hashOf(commands);
    expect(recorded({ ...emptyState, commands: { seq: 1, digest } }).events).toEqual([]);
    expect(recorded({ ...emptyState, commands: { seq: 1, digest: "another" } }).events).toHaveLength(1);
  });

  test("don't count as a sign that the agent has received its prompt", () => {
    const attempt = firstAttempt("trn_1", 2);
    const runtime = { run: 1, pending: {}, stopping: false, attempt: writing(attempt) };
    const facts: AgentFact[] = [{ type: "commands", commands }];
    const batch = (more: AgentFact[]) =>
      recordBatch(
        { facts: [...facts, ...more], position: 1 },
        { ...context(new Recorder(emptyTimeline)), runtime },
      ).runtime?.attempt?.prompt.phase;
    expect(batch([])).toBe("writing");
    expect(batch([{ type: "text", text: "Hello" }])).toBe("written");
  });
});

const writing = (attempt: Attempt): Attempt => ({
  ...attempt,
  prompt: { ...attempt.prompt, phase: "writing" },
});
