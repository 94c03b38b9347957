import {
  type EventBody,
  emptyTimeline,
  extend,
  type Item,
  idSchema,
  Recorder,
  type SessionEvent,
  type WorkFact,
} from "@drover/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const sessionId = "ses_01hv0000000000000000000001";

/** Folds bodies as a client does: changed items replace those of the same id. */
function draw(bodies: readonly EventBody[]): Item[] {
  let timeline = emptyTimeline;
  const items = new Map<string, Item>();
  bodies.forEach((body, index) => {
    const seq = index + 1;
    const event = { ...body, seq, from: seq, at: "2026-01-01T00:00:00.000Z", sessionId } as SessionEvent;
    const step = extend(timeline, event);
    timeline = step.timeline;
    for (const { item } of step.changed) items.set(item.id, item);
  });
  return [...items.values()];
}

function recorder() {
  let count = 0;
  const used = new Set<string>();
  const made = new Recorder(emptyTimeline);
  return {
    used,
    made,
    record: (facts: WorkFact[]) =>
      made.record(facts, {
        turnId: "trn_1",
        state: "running",
        newItemId: () => `itm_${++count}`,
        isToolCallUsed: (id) => used.has(id),
      }),
  };
}

const done: EventBody = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };
const start = (toolCallId: string, parent?: string): WorkFact => ({
  type: "tool_start",
  toolCallId,
  toolName: "run",
  kind: "execute",
  title: toolCallId,
  ...(parent ? { parent } : {}),
});

describe("the transcript", () => {
  it("joins what is said in one breath and closes it when something else of the same parent begins", () => {
    const { record } = recorder();
    const bodies = record([
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      start("a"),
      { type: "text", text: "after" },
    ]);
    expect(bodies.map((b) => b.type)).toEqual(["text_delta", "tool_call_start", "text_delta"]);
    const items = draw(bodies);
    expect(items.map((i) => [i.kind, i.status, i.text])).toEqual([
      ["text", "complete", "Hello"],
      ["tool", "open", undefined],
      ["text", "open", "after"],
    ]);
  });

  it("ends what is said where a person is asked, and goes on in another item after the answer", () => {
    const { record, made } = recorder();
    const before = record([{ type: "text", text: "Before" }]);
    made.pauseSpeech();
    const question = { type: "question_prompt", id: "int_1", kind: "question" } as EventBody;
    const items = draw([...before, question, ...record([{ type: "text", text: "After" }])]);
    expect(items.map((i) => [i.status, i.text])).toEqual([
      ["complete", "Before"],
      ["open", "After"],
    ]);
    // Whoever picks the log up at the question knows it, too.
    expect(draw([...before, question]).map(({ status }) => status)).toEqual(["complete"]);
  });

  it("S10 keeps interleaved tool calls and sub-agents apart", () => {
    const { record } = recorder();
    const items = draw([
      ...record([
        start("a"),
        start("b"),
        { type: "text", text: "in a", parent: "a" },
        { type: "text", text: "top" },
        { type: "tool_ready", toolCallId: "b", input: { n: 2 } },
        { type: "tool_ready", toolCallId: "a", input: { n: 1 } },
        { type: "tool_result", toolCallId: "b", status: "complete", result: "B" },
        { type: "text", text: " more", parent: "a" },
        { type: "tool_result", toolCallId: "a", status: "error", result: "A" },
      ]),
      done,
    ]);
    expect(items.find(({ tool }) => tool?.toolCallId === "a")?.tool).toMatchObject({
      input: { n: 1 },
      result: "A",
      status: "error",
    });
    expect(items.find(({ tool }) => tool?.toolCallId === "b")?.tool).toMatchObject({
      input: { n: 2 },
      result: "B",
      status: "complete",
    });
    expect(items.find((i) => i.parentToolCallId === "a")?.text).toBe("in a more");
    expect(items.every((i) => i.status !== "open")).toBe(true);
  });

  it("gives a tool call id an agent uses again a name of its own", () => {
    const { record, used } = recorder();
    record([start("call_1"), { type: "tool_result", toolCallId: "call_1", status: "complete", result: 1 }]);
    used.add("call_1");
    const again = record([start("call_1"), { type: "tool_ready", toolCallId: "call_1", input: {} }]);
    expect(again).toMatchObject([{ toolCallId: "call_1~2" }, { toolCallId: "call_1~2" }]);
  });

  it("H4 lets no tool call have the id of an interaction", () => {
    const { record } = recorder();
    const id = "int_01hv0000000000000000000001";
    expect(record([start(id)])).toMatchObject([{ toolCallId: `${id}~2` }]);
    expect(record([start("int_short")])).toMatchObject([{ toolCallId: "int_short" }]);
  });

  it("gives it one even when both uses are recorded at once, before the store knows the first", () => {
    const { record, used } = recorder();
    used.add("call_1");
    const use: WorkFact[] = [
      start("call_1"),
      { type: "tool_result", toolCallId: "call_1", status: "complete", result: 1 },
    ];
    const items = draw([...record([...use, ...use]), ...record(use)]);
    expect(items.map(({ tool }) => tool?.toolCallId)).toEqual(["call_1~2", "call_1~3", "call_1~4"]);
    for (const { id } of items) expect(idSchema("item").safeParse(id).success).toBe(true);
  });

  it("records the same from a copy when what was recorded could not be stored", () => {
    const { made } = recorder();
    const given = { state: "running", newItemId: () => "itm_1", isToolCallUsed: () => false } as const;
    made.record([{ type: "text", text: "Well: " }, start("a")], given);
    const facts: WorkFact[] = [
      { type: "tool_result", toolCallId: "a", status: "complete", result: 1 },
      start("b"),
      { type: "text", text: "in b", parent: "b" },
    ];
    const lost = made.copy().record(facts, given);
    expect(lost.map(({ type }) => type)).toEqual(["tool_result", "tool_call_start", "text_delta"]);
    expect(made.copy().record(facts, given)).toEqual(lost);
  });

  it("N9 says of a call that failed whether it was denied or interrupted, whatever its agent calls it", () => {
    const outcome = (
      status: "complete" | "error" | "denied",
      given: { isDenied?: boolean; isInterrupted?: boolean },
    ) => {
      const { made } = recorder();
      const base = { state: "running", newItemId: () => "itm_1", isToolCallUsed: () => false } as const;
      const isDenied = () => given.isDenied === true;
      const fact: WorkFact = { type: "tool_result", toolCallId: "a", status, result: {} };
      const [, result] = made.record([start("a"), fact], { ...base, ...given, isDenied });
      return result && "status" in result ? result.status : undefined;
    };
    expect(outcome("error", {})).toBe("error");
    expect(outcome("error", { isInterrupted: true })).toBe("interrupted");
    // Claude calls what an interrupt cut short rejected by the user.
    expect(outcome("denied", { isInterrupted: true })).toBe("interrupted");
    expect(outcome("error", { isDenied: true, isInterrupted: true })).toBe("denied");
    expect(outcome("complete", { isInterrupted: true })).toBe("complete");
  });

  it("N9 tells a change of one task where the turn has told the list, and the whole list where it has not", () => {
    const task = (id: string, status: "pending" | "completed" = "pending") =>
      ({ id, title: `Task ${id}`, status }) as const;
    const fact = (action: "create" | "update", ...tasks: ReturnType<typeof task>[]): WorkFact => {
      const changed = tasks.at(-1) ?? task("?");
      return { type: "tasks", tasks, change: { action, task: changed } };
    };
    const { record, made } = recorder();
    const events = record([fact("create", task("1")), fact("create", task("1"), task("2"))]);
    expect(events).toMatchObject([
      { type: "task_update", action: "create", task: task("1") },
      { type: "task_update", action: "create", task: task("2") },
    ]);
    events.push(...record([fact("update", task("1"), task("2", "completed"))]));
    expect(draw(events).at(-1)?.tasks).toEqual([task("1"), task("2", "completed")]);
    made.endTurn();
    expect(record([fact("update", task("2"), task("1", "completed"))])).toMatchObject([
      { type: "task_update", action: "snapshot", tasks: [task("2"), task("1", "completed")] },
    ]);
  });

  it("remembers that a turn was interrupted", () => {
    const { record } = recorder();
    const items = draw([
      ...record([{ type: "text", text: "half" }]),
      { ...done, reason: "cancelled", ok: false, partial: true },
    ]);
    expect(items.map((i) => [i.kind, i.status, i.code])).toEqual([
      ["text", "partial", undefined],
      ["notice", "complete", "CANCELLED"],
    ]);
  });

  it("marks what a crash left unfinished as partial", () => {
    const { record } = recorder();
    const items = draw([
      ...record([start("a"), { type: "text", text: "half a sent" }]),
      { type: "error", turnId: "trn_1", code: "AGENT_CRASHED", message: "It is gone.", retry: "same" },
      { ...done, reason: "crashed", ok: false, partial: true },
    ]);
    expect(items.map((i) => [i.kind, i.status])).toEqual([
      ["tool", "partial"],
      ["text", "partial"],
      ["notice", "complete"],
    ]);
  });

  it("comes out the same whether deltas are folded one by one or a closed item stands for them", () => {
    const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, (texts) => {
        const { record } = recorder();
        const bodies = texts.flatMap((text) => record([{ type: "text", text }]));
        const [byDeltas] = draw([...bodies, done]);
        expect(byDeltas?.text).toBe(texts.join(""));
        const whole = { type: "item", item: byDeltas as Item } as EventBody;
        expect(draw([whole, done])).toEqual([byDeltas]);
      }),
    );
  });
});
