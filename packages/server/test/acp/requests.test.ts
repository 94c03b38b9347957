import type { AgentAnswer, AgentFact } from "@drover/core";
import { expect, test } from "vitest";
import { askScripted, Place, RecordingHost, script } from "./support.ts";

type TurnEnd = Extract<AgentFact, { type: "turn_end" }>;

/** One turn of an agent that asks; returns the answer it received. */
async function ask(answer: AgentAnswer): Promise<{ host: RecordingHost; received: unknown; end: TurnEnd }> {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "asks-permission" }, host);
  await connection.prompt("trn_1", "");
  const { requestKey } = await host.first("approval_request");
  await connection.answer(requestKey, answer);
  const end = await host.turnEnd("trn_1");
  return { host, received: JSON.parse(host.text), end };
}

test("A12 an approval selects the option whose kind is allow_once", async () => {
  const { host, received, end } = await ask({ type: "approved" });
  expect(received).toEqual({ outcome: { outcome: "selected", optionId: "opt-a" }, kind: "allow_once" });
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

test("A12 a denial selects the option whose kind is reject_once, and carries its reason", async () => {
  const { host, received } = await ask({ type: "denied", message: "User denied tool execution: not today" });
  expect(received).toEqual({
    outcome: { outcome: "selected", optionId: "opt-c" },
    kind: "reject_once",
    _meta: { "drover/reason": "User denied tool execution: not today" },
  });
  expect(host.of("tool_result")).toMatchObject([{ toolCallId: "call-1" }]);
});

test("A14 a cancelled request is answered as cancelled", async () => {
  const { received, end } = await ask({ type: "cancelled" });
  expect(received).toEqual({ outcome: { outcome: "cancelled" } });
  expect(end.reason).toBe("cancelled");
});

test("the agent's raw request is recorded with its fact", async () => {
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
    // As an engine does when a rule decides.
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

test("an approval has the kind of call that the agent reported last", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const update = { sessionUpdate: "tool_call", toolCallId: "t1", title: "Do it", kind: "edit" };
  const announced = { method: "session/update", params: { sessionId: "conversation-1", update } };
  await connection.prompt("trn_1", script({ send: [announced, permission([], { kind: "execute" })] }));
  expect(await host.first("approval_request")).toMatchObject({ toolKind: "execute" });
});

test("a request to leave plan mode is the approval of a plan", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const plan = { kind: "switch_mode", name: "ExitPlanMode", rawInput: { plan: "# P" } };
  const { host } = await askScripted(permission(options, plan), { type: "approved" });
  expect(host.of("approval_request")).toMatchObject([
    { toolKind: "plan", toolName: "ExitPlanMode", input: { plan: "# P" } },
  ]);
});

test("a call without an input has its content as the input of the approval", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const content = [{ type: "diff", path: "/w/a", oldText: "1", newText: "2" }];
  const { host } = await askScripted(permission(options, { content }), { type: "approved" });
  expect(host.of("approval_request")[0]?.input).toEqual({
    title: "Do it",
    diffs: [{ path: "/w/a", oldText: "1", newText: "2" }],
  });
});

test("diffs of a call are shown beside its input", async () => {
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

test("H4 a diff beside an input is kept as the agent sent it, including invalid values and extra keys", async () => {
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  const rawInput = { path: "a", text: "2" };
  const call = permission(options, { rawInput, content: hostileParts });
  const { host } = await askScripted(call, { type: "approved" });
  expect(host.of("approval_request")[0]).toMatchObject({ input: rawInput });
  expect(host.of("approval_request")[0]?.diffs).toEqual(diffsOfThem);
});

test("H4 a call without an input has all its content as the input of the approval, whatever its shape", async () => {
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

test("a malformed request is rejected, and the connection stays open", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const malformed = [
    { id: 1, method: "session/request_permission", params: { options: "none" } },
    { id: 2, method: "session/request_permission" },
    { id: 3, method: "elicitation/create", params: { mode: "url", url: "http://127.0.0.1:1/" } },
    { id: 4, method: "fs/read_text_file", params: { path: "/etc/passwd" } },
    { id: 5, method: "terminal/create", params: { command: "sh" } },
  ];
  await connection.prompt("trn_1", script({ send: malformed }));
  await host.turnEnd("trn_1");
  const codes = host.text.match(/-32\d+/g);
  expect(codes).toEqual(["-32602", "-32602", "-32602", "-32601", "-32601"]);
  await connection.prompt("trn_2", script({}));
  expect(await host.turnEnd("trn_2")).toMatchObject({ reason: "end_turn" });
});

test("a request that the agent withdraws is closed, and a later answer changes nothing", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open({ agent: "scripted" }, host);
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];
  // The agent does not wait for the answer: it sends the request in the first turn and withdraws it in the second.
  await connection.prompt("trn_1", script({ send: [permission(options)] }));
  const { requestKey } = await host.first("approval_request");
  const withdrawal = { method: "$/cancel_request", params: { requestId: 7 } };
  await connection.prompt("trn_2", script({ send: [withdrawal] }));
  await host.turnEnd("trn_1");
  expect(await host.first("request_withdrawn")).toMatchObject({ requestKey });
  expect(JSON.parse(host.text)).toEqual({ result: { outcome: { outcome: "cancelled" } } });
  await connection.answer(requestKey, { type: "approved" });
  const answers = (await place.received()).filter(({ id, method }) => id === 7 && method === undefined);
  expect(answers).toHaveLength(1);
});
