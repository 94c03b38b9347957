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

/** Folds bodies as a client does: changed items replace those with the same id. */
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

function makeRecorder() {
  let count = 0;
  const used = new Set<string>();
  const recorder = new Recorder(emptyTimeline);
  return {
    used,
    recorder,
    record: (facts: WorkFact[]) =>
      recorder.record(facts, {
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
  it("joins consecutive text into one item, and closes it when another item of the same parent begins", () => {
    const { record } = makeRecorder();
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

  it("closes a text when a person is asked, and continues in another item after the answer", () => {
    const { record, recorder } = makeRecorder();
    const before = record([{ type: "text", text: "Before" }]);
    recorder.pauseSpeech();
    const question = { type: "question_prompt", id: "int_1", kind: "question" } as EventBody;
    const items = draw([...before, question, ...record([{ type: "text", text: "After" }])]);
    expect(items.map((i) => [i.status, i.text])).toEqual([
      ["complete", "Before"],
      ["open", "After"],
    ]);
    // The item is also closed for a client that starts at the question.
    expect(draw([...before, question]).map(({ status }) => status)).toEqual(["complete"]);
  });

  it("S10 keeps interleaved tool calls and sub-agents apart", () => {
    const { record } = makeRecorder();
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

  it("renames a tool call id that the agent uses again", () => {
    const { record, used } = makeRecorder();
    record([start("call_1"), { type: "tool_result", toolCallId: "call_1", status: "complete", result: 1 }]);
    used.add("call_1");
    const again = record([start("call_1"), { type: "tool_ready", toolCallId: "call_1", input: {} }]);
    expect(again).toMatchObject([{ toolCallId: "call_1~2" }, { toolCallId: "call_1~2" }]);
  });

  it("H4 never gives a tool call the id of an interaction", () => {
    const { record } = makeRecorder();
    const id = "int_01hv0000000000000000000001";
    expect(record([start(id)])).toMatchObject([{ toolCallId: `${id}~2` }]);
    expect(record([start("int_short")])).toMatchObject([{ toolCallId: "int_short" }]);
  });

  it("renames it even if both uses are recorded at once, before the store has the first", () => {
    const { record, used } = makeRecorder();
    used.add("call_1");
    const use: WorkFact[] = [
      start("call_1"),
      { type: "tool_result", toolCallId: "call_1", status: "complete", result: 1 },
    ];
    const items = draw([...record([...use, ...use]), ...record(use)]);
    expect(items.map(({ tool }) => tool?.toolCallId)).toEqual(["call_1~2", "call_1~3", "call_1~4"]);
    for (const { id } of items) expect(idSchema("item").safeParse(id).success).toBe(true);
  });

  it("records the same events from a copy if the first ones could not be stored", () => {
    const { recorder } = makeRecorder();
    const context = { state: "running", newItemId: () => "itm_1", isToolCallUsed: () => false } as const;
    recorder.record([{ type: "text", text: "Well: " }, start("a")], context);
    const facts: WorkFact[] = [
      { type: "tool_result", toolCallId: "a", status: "complete", result: 1 },
      start("b"),
      { type: "text", text: "in b", parent: "b" },
    ];
    const lost = recorder.copy().record(facts, context);
    expect(lost.map(({ type }) => type)).toEqual(["tool_result", "tool_call_start", "text_delta"]);
    expect(recorder.copy().record(facts, context)).toEqual(lost);
  });

  it("N9 marks a failed call as denied or interrupted, whatever status the agent reports", () => {
    const outcome = (
      status: "complete" | "error" | "denied",
      flags: { isDenied?: boolean; isInterrupted?: boolean },
    ) => {
      const { recorder } = makeRecorder();
      const base = { state: "running", newItemId: () => "itm_1", isToolCallUsed: () => false } as const;
      const isDenied = () => flags.isDenied === true;
      const fact: WorkFact = { type: "tool_result", toolCallId: "a", status, result: {} };
      const [, result] = recorder.record([start("a"), fact], { ...base, ...flags, isDenied });
      return result && "status" in result ? result.status : undefined;
    };
    expect(outcome("error", {})).toBe("error");
    expect(outcome("error", { isInterrupted: true })).toBe("interrupted");
    // Claude reports calls cut short by an interrupt as rejected by the user.
    expect(outcome("denied", { isInterrupted: true })).toBe("interrupted");
    expect(outcome("error", { isDenied: true, isInterrupted: true })).toBe("denied");
    expect(outcome("complete", { isInterrupted: true })).toBe("complete");
  });

  it("N9 reports one changed task if the turn has already reported the list, and the whole list otherwise", () => {
    const task = (id: string, status: "pending" | "completed" = "pending") =>
      ({ id, title: `Task ${id}`, status }) as const;
    const fact = (action: "create" | "update", ...tasks: ReturnType<typeof task>[]): WorkFact => {
      const changed = tasks.at(-1) ?? task("?");
      return { type: "tasks", tasks, change: { action, task: changed } };
    };
    const { record, recorder } = makeRecorder();
    const events = record([fact("create", task("1")), fact("create", task("1"), task("2"))]);
    expect(events).toMatchObject([
      { type: "task_update", action: "create", task: task("1") },
      { type: "task_update", action: "create", task: task("2") },
    ]);
    events.push(...record([fact("update", task("1"), task("2", "completed"))]));
    expect(draw(events).at(-1)?.tasks).toEqual([task("1"), task("2", "completed")]);
    recorder.endTurn();
    expect(record([fact("update", task("2"), task("1", "completed"))])).toMatchObject([
      { type: "task_update", action: "snapshot", tasks: [task("2"), task("1", "completed")] },
    ]);
  });

  it("shows that a turn was interrupted", () => {
    const { record } = makeRecorder();
    const items = draw([
      ...record([{ type: "text", text: "half" }]),
      { ...done, reason: "cancelled", ok: false, partial: true },
    ]);
    expect(items.map((i) => [i.kind, i.status, i.code])).toEqual([
      ["text", "partial", undefined],
      ["notice", "complete", "CANCELLED"],
    ]);
  });

  it("marks items that a crash left unfinished as partial", () => {
    const { record } = makeRecorder();
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

  it("is the same whether deltas are folded one by one or replaced by the closed item", () => {
    const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(words, (texts) => {
        const { record } = makeRecorder();
        const bodies = texts.flatMap((text) => record([{ type: "text", text }]));
        const [byDeltas] = draw([...bodies, done]);
        expect(byDeltas?.text).toBe(texts.join(""));
        const whole = { type: "item", item: byDeltas as Item } as EventBody;
        expect(draw([whole, done])).toEqual([byDeltas]);
      }),
    );
  });
});
