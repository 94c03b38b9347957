import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { amendedCall, permissionResult } from "../../src/drivers/claude/requests.ts";
import { OpenRequests } from "../../src/drivers/open-requests.ts";
import { asLines, newReader, newState, recorded } from "./support.ts";

const ask = (requestKey: string, tool_name: string, input: object) => ({
  type: "control_request",
  request_id: requestKey,
  request: { subtype: "can_use_tool", tool_name, input, tool_use_id: `call-${requestKey}` },
});
const read = (messages: readonly object[], reader = newReader()) =>
  reader.read(asLines(messages.map((message) => JSON.stringify(message))));

const questions = [
  { question: "Which one?", header: "One", options: [{ label: "A", description: "a" }], multiSelect: false },
  { question: "Which ones?", header: "Many", options: [{ label: "X" }, { label: "Y" }], multiSelect: true },
];

test("a request for a call that was not announced announces it first", () => {
  const { facts, requests } = read([ask("r1", "Write", { file_path: "/a", content: "x" })]);
  expect(facts.map(({ type }) => type)).toEqual(["tool_start", "tool_ready", "approval_request"]);
  expect(facts.at(-1)).toMatchObject({ toolCallId: "call-r1", toolKind: "edit", title: "Write /a" });
  expect(requests).toEqual([{ requestKey: "r1", message: expect.objectContaining({ request_id: "r1" }) }]);
});

test("a repeated request is reported once", () => {
  const reader = newReader();
  const request = ask("r1", "Bash", { command: "ls" });
  expect(read([request, request], reader).requests).toHaveLength(1);
  expect(read([request], reader)).toMatchObject({ facts: [], requests: [] });
});

test("a question has its options, and the answers are keyed by the question's text", () => {
  const message = ask("r1", "AskUserQuestion", { questions });
  expect(read([message]).facts.at(-1)).toEqual({
    type: "question_request",
    requestKey: "r1",
    toolCallId: "call-r1",
    title: "Which one?",
    questions: [
      { id: "q1", ...questions[0] },
      { id: "q2", ...questions[1] },
    ],
  });
  const answer = permissionResult(message, { type: "answered", answers: { q1: "A", q2: ["X", "Y"] } });
  const answers = { "Which one?": "A", "Which ones?": "X, Y" };
  expect(answer).toEqual({ behavior: "allow", updatedInput: { questions, answers } });
});

test("a plan is an approval of kind plan, with the agent's text", () => {
  const state = newState();
  const content = [{ type: "tool_use", id: "call-r1", name: "ExitPlanMode", input: { plan: "# Plan" } }];
  const { facts } = read(
    [{ type: "assistant", message: { id: "m", content } }, ask("r1", "ExitPlanMode", {})],
    newReader(state),
  );
  expect(facts.at(-1)).toMatchObject({
    type: "approval_request",
    toolKind: "plan",
    input: { plan: "# Plan" },
  });
});

test("answers have the agent's format: allowed unchanged or amended, denied with the reason, cancelled", () => {
  const message = ask("r1", "Bash", { command: "ls" });
  const input = { command: "ls -l" };
  expect(permissionResult(message, { type: "approved" })).toEqual({
    behavior: "allow",
    updatedInput: { command: "ls" },
  });
  expect(permissionResult(message, { type: "approved", input })).toEqual({
    behavior: "allow",
    updatedInput: input,
  });
  expect(permissionResult(message, { type: "denied", message: "no" })).toEqual({
    behavior: "deny",
    message: "no",
  });
  expect(permissionResult(message, { type: "cancelled" })).toMatchObject({
    behavior: "deny",
    interrupt: true,
  });
});

test("A15 a call with amended input is shown with that input and a matching title", () => {
  const input = { command: "ls -l" };
  expect(amendedCall(ask("r1", "Bash", { command: "ls" }), input)).toEqual([
    { type: "tool_ready", toolCallId: expect.any(String), input, title: "ls -l" },
  ]);
});

test("the SDK gets the lines of its protocol and no others", async () => {
  const lines = await recorded("approved");
  const { control } = newReader().read(asLines(lines));
  const types = control.map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types).toEqual(["control_response", "control_request"]);
});

test("an answer is delivered when the SDK asks for it, however early it came, and resolves once it is written", async () => {
  const requests = new OpenRequests({ response: permissionResult });
  requests.add({ requestKey: "r1", message: ask("r1", "Bash", { command: "ls" }) });
  const answered = requests.answer("r1", { type: "denied", message: "no" });
  const signal = new AbortController().signal;
  expect(await requests.respond("r1", signal)).toEqual({ behavior: "deny", message: "no" });
  const written = Promise.withResolvers<void>();
  requests.sent("r1", written.promise);
  expect(await Promise.race([answered.then(() => "done"), Promise.resolve("waits")])).toBe("waits");
  written.resolve();
  await answered;
  expect(await requests.respond("r1", signal)).toBeUndefined();
});

test("a request that the agent no longer waits for needs no answer", async () => {
  const requests = new OpenRequests({ response: permissionResult });
  for (const requestKey of ["answered", "waits", "withdrawn"]) {
    requests.add({ requestKey, message: ask(requestKey, "Bash", {}) });
  }
  const abort = new AbortController();
  const response = requests.respond("withdrawn", abort.signal);
  requests.keep(["waits", "withdrawn"]);
  abort.abort();
  expect(await response).toBeUndefined();
  await requests.answer("answered", { type: "approved" });
  await requests.answer("withdrawn", { type: "approved" });
  const waiting = requests.answer("waits", { type: "approved" });
  requests.close(new Fault("AGENT_UNREACHABLE", "gone"));
  await expect(waiting).rejects.toThrow("gone");
});

test("the handshake lists the requests that the agent still waits for", () => {
  const response = {
    subtype: "success",
    request_id: "i1",
    pending_permission_requests: [ask("r1", "Bash", {})],
  };
  expect(read([{ type: "control_response", response }]).waiting).toEqual(["r1"]);
  expect(read([{ type: "control_response", response: { subtype: "success" } }]).waiting).toBeUndefined();
});
