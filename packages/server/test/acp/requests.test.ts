import type { AgentAnswer, AgentFact } from "@drover/core";
import { expect, test } from "vitest";
import { askScripted, Place, RecordingHost, script } from "./support.ts";

type TurnEnd = Extract<AgentFact, { type: "turn_end" }>;

/** One turn of an agent that asks; returns what it says it heard. */
async function ask(answer: AgentAnswer): Promise<{ host: RecordingHost; heard: unknown; end: TurnEnd }> {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "asks-permission" }, host);
  await connection.prompt("trn_1", "");
  const { requestKey } = await host.first("approval_request");
  await connection.answer(requestKey, answer);
  const end = await host.turnEnd("trn_1");
  return { host, heard: JSON.parse(host.text), end };
}

test("A12 an approval selects the option that allows once, by its kind", async () => {
  const { host, heard, end } = await ask({ type: "approved" });
  expect(heard).toEqual({ outcome: { outcome: "selected", optionId: "opt-a" }, kind: "allow_once" });
  expect(end.reason).toBe("end_turn");
  expect(host.of("approval_request")).toEqual([
    {
      type: "approval_request",
      requestKey: '"kit:1"',
      toolCallId: "call-1",
      toolName: "execute",
      toolKind: "execute",
      title: "Append a line",
      input: { command: "echo call-1 >> log" },
    },
  ]);
  expect(host.of("tool_start")).toHaveLength(1);
  expect(host.of("tool_result")).toMatchObject([{ toolCallId: "call-1", status: "complete" }]);
});

test("A12 a denial selects the option that rejects once, and its reason travels beside it", async () => {
  const { host, heard } = await ask({ type: "denied", message: "User denied tool execution: not today" });
  expect(heard).toEqual({
    outcome: { outcome: "selected", optionId: "opt-c" },
    kind: "reject_once",
    _meta: { "drover/reason": "User denied tool execution: not today" },
  });
  expect(host.of("tool_result")).toMatchObject([{ toolCallId: "call-1" }]);
});

test("A14 a cancelled request is answered as cancelled", async () => {
  const { heard, end } = await ask({ type: "cancelled" });
  expect(heard).toEqual({ outcome: { outcome: "cancelled" } });
  expect(end.reason).toBe("cancelled");
});

test("the request as the agent sent it is recorded with its fact", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "asks-permission" }, host);
  await connection.prompt("trn_1", "");
  await host.first("approval_request");
  const batch = host.batches.find(({ raw }) => raw !== undefined);
  expect(batch?.raw?.['"kit:1"']).toMatchObject({ id: "kit:1", method: "session/request_permission" });
  expect(batch?.facts.some(({ type }) => type === "approval_request")).toBe(true);
});

test("an answer counts even while its request is still being recorded", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "asks-permission" }, host);
  const record = host.record.bind(host);
  host.record = async (batch) => {
    await record(batch);
    // What an engine does that is not allowed to ask a person.
    if (batch.raw) await connection.answer('"kit:1"', { type: "approved" });
  };
  await connection.prompt("trn_1", "");
  await host.turnEnd("trn_1");
  expect(JSON.parse(host.text)).toMatchObject({ kind: "allow_once" });
});

const permission = (options: object[], more: object = {}): object => ({
  id: 7,
  method: "session/request_permission",
  params: {
    sessionId: "conversation-1",
    toolCall: { toolCallId: "t1", title: "Do it", kind: "edit", ...more },
    options,
  },
});

test("a tool call that first appears in its permission request is announced before it", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const { host } = await askScripted(permission(options, { rawInput: { path: "a" } }), { type: "approved" });
  expect(host.facts.slice(0, 3)).toMatchObject([
    { type: "tool_start", toolCallId: "t1", toolName: "edit", kind: "edit", title: "Do it" },
    { type: "tool_ready", toolCallId: "t1", input: { path: "a" } },
    { type: "approval_request", toolCallId: "t1", input: { path: "a" } },
  ]);
});

test("an approval is for the kind of call that the agent said last", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const update = { sessionUpdate: "tool_call", toolCallId: "t1", title: "Do it", kind: "edit" };
  const announced = { method: "session/update", params: { sessionId: "conversation-1", update } };
  await connection.prompt("trn_1", script({ send: [announced, permission([], { kind: "execute" })] }));
  expect(await host.first("approval_request")).toMatchObject({ toolKind: "execute" });
});

test("leaving the planning mode is the approval of a plan", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const plan = { kind: "switch_mode", name: "ExitPlanMode", rawInput: { plan: "# P" } };
  const { host } = await askScripted(permission(options, plan), { type: "approved" });
  expect(host.of("approval_request")).toMatchObject([
    { toolKind: "plan", toolName: "ExitPlanMode", input: { plan: "# P" } },
  ]);
});

test("a call without an input is approved by what it shows", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const content = [{ type: "diff", path: "/w/a", oldText: "1", newText: "2" }];
  const { host } = await askScripted(permission(options, { content }), { type: "approved" });
  expect(host.of("approval_request")[0]?.input).toEqual({
    title: "Do it",
    diffs: [{ path: "/w/a", oldText: "1", newText: "2" }],
  });
});

test("what an agent shows of a change goes beside the input it has given", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const diff = { path: "/w/a", oldText: null, newText: "2" };
  const rawInput = { path: "a", text: "2" };
  const call = permission(options, { rawInput, content: [{ type: "diff", ...diff }] });
  const { host } = await askScripted(call, { type: "approved" });
  expect(host.of("approval_request")).toMatchObject([{ input: rawInput, diffs: [diff] }]);
});

const hostileParts = [
  { type: "diff", path: 5, oldText: ["1"], newText: "2" },
  { type: "diff", path: "/w/a", newText: "2", mode: "100755", _meta: { kind: "add" } },
  { type: "diff" },
];
const diffsOfThem = hostileParts.map(({ type: _, ...diff }) => diff);

test("H4 a diff beside an input is kept as the agent sent it, with wrong values and further keys", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const rawInput = { path: "a", text: "2" };
  const call = permission(options, { rawInput, content: hostileParts });
  const { host } = await askScripted(call, { type: "approved" });
  expect(host.of("approval_request")[0]).toMatchObject({ input: rawInput });
  expect(host.of("approval_request")[0]?.diffs).toEqual(diffsOfThem);
});

test("H4 a call without an input is approved by everything it shows, whatever its shape", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const plain = { type: "content", content: { type: "text", text: "plain" } };
  const others = [
    { type: "content", content: { type: "text", text: "annotated", annotations: { audience: ["user"] } } },
    { type: "terminal", terminalId: "t" },
    "rm -rf ~",
    null,
    ["nested"],
  ];
  const call = permission(options, { content: [plain, ...hostileParts, ...others] });
  const { host } = await askScripted(call, { type: "approved" });
  expect(host.of("approval_request")[0]?.input).toEqual({
    title: "Do it",
    text: "plain",
    diffs: diffsOfThem,
    content: others,
  });
});

test("a request that makes no sense is refused, and the connection lives on", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const senseless = [
    { id: 1, method: "session/request_permission", params: { options: "none" } },
    { id: 2, method: "session/request_permission" },
    { id: 3, method: "elicitation/create", params: { mode: "url", url: "http://127.0.0.1:1/" } },
    { id: 4, method: "fs/read_text_file", params: { path: "/etc/passwd" } },
    { id: 5, method: "terminal/create", params: { command: "sh" } },
  ];
  await connection.prompt("trn_1", script({ send: senseless }));
  await host.turnEnd("trn_1");
  const codes = host.text.match(/-32\d+/g);
  expect(codes).toEqual(["-32602", "-32602", "-32602", "-32601", "-32601"]);
  await connection.prompt("trn_2", script({}));
  expect(await host.turnEnd("trn_2")).toMatchObject({ reason: "end_turn" });
});

test("a request the agent takes back is closed; an answer that comes later changes nothing", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  // Not waited for by the agent: it is sent as part of the first turn and taken back in the second.
  await connection.prompt("trn_1", script({ send: [permission(options)] }));
  const { requestKey } = await host.first("approval_request");
  const takeBack = { method: "$/cancel_request", params: { requestId: 7 } };
  await connection.prompt("trn_2", script({ send: [takeBack] }));
  await host.turnEnd("trn_1");
  expect(JSON.parse(host.text)).toEqual({ result: { outcome: { outcome: "cancelled" } } });
  await connection.answer(requestKey, { type: "approved" });
  const answers = (await place.heard()).filter(({ id, method }) => id === 7 && method === undefined);
  expect(answers).toHaveLength(1);
});
