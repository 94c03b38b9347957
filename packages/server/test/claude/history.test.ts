import { describe, expect, test } from "vitest";
import { pastItems } from "../../src/drivers/claude/history.ts";
import type { PastItem } from "../../src/ports.ts";
import { recorded } from "./support.ts";

type Message = Record<string, unknown>;

const stored = async (): Promise<Message[]> =>
  (await recorded("stored")).map((line) => JSON.parse(line) as Message);

/** An item as one line. */
const brief = ({ kind, text, tool }: PastItem): string =>
  `${kind} ${tool ? `${tool.title}: ${tool.status}` : text?.split("\n", 1)[0]}`;

const user = (uuid: string, content: unknown, more: Message = {}): Message => ({
  ...{ type: "user", uuid, message: { role: "user", content }, parent_tool_use_id: null, ...more },
});
const assistant = (uuid: string, block: Message, more: Message = {}): Message => ({
  ...{ type: "assistant", uuid, parent_tool_use_id: null },
  message: { role: "assistant", model: "claude", content: [block] },
  ...more,
});
const call = (uuid: string, id: string, more: Message = {}): Message =>
  assistant(uuid, { type: "tool_use", id, name: "Bash", input: { command: id } }, more);
const result = (uuid: string, id: string, more: Message = {}): Message =>
  user(uuid, [{ type: "tool_result", tool_use_id: id, content: `${id} done`, ...more }]);
const say = (uuid: string, text: string): Message => assistant(uuid, { type: "text", text });

describe("a stored conversation", () => {
  test("becomes items in order, with a sub-agent's items after its call", async () => {
    const items = pastItems(await stored());
    expect(items.map(brief)).toEqual([
      "user Hello words",
      "thinking Let me think.",
      "text I look.",
      "tool printf a: complete",
      "tool printf b; exit 3: error",
      "text Done one.",
      "user Second words",
      "tool Fox: complete",
      "text Fox begins.",
      "tool printf Fox: complete",
      "text Fox ends.",
      "text Done two.",
    ]);
    const fox = items[7]?.tool?.toolCallId;
    expect(items.map(({ parentToolCallId }) => parentToolCallId === fox)).toEqual(
      items.map((_, index) => index >= 8 && index <= 10),
    );
    expect(items[0]?.at).toBe("2026-11-15T12:02:37.362Z");
    expect(items[3]?.tool).toMatchObject({ kind: "execute", result: { text: "a" } });
  });

  test("can be cut after each item, except between parallel calls and their results", async () => {
    const messages = await stored();
    const index = new Map(messages.map(({ uuid }, at) => [uuid, at]));
    const cuts = pastItems(messages).map(({ cut }) => index.get(cut));
    expect(cuts).toEqual([0, 1, 2, 6, 6, 7, 8, 10, 10, 10, 10, 11]);
  });
});

test("a stored conversation can be cut after a call that has its result, even before the next one", () => {
  const items = pastItems([call("1", "a"), result("2", "a"), call("3", "b"), result("4", "b")]);
  expect(items.map(({ cut }) => cut)).toEqual(["2", "4"]);
});

test("a stored conversation cannot be cut after a call without a result, but after any other item", () => {
  const items = pastItems([say("1", "I try."), call("2", "lost"), user("3", "And?"), say("4", "Again.")]);
  expect(items.map(({ cut }) => cut)).toEqual(["1", undefined, "3", "4"]);
  expect(items[1]?.tool).toMatchObject({ status: "running", title: "lost" });
  expect(items[1]?.tool).not.toHaveProperty("result");
});

test("a stored conversation has denied calls as denied and failed calls as failed", () => {
  const denied = {
    ...result("2", "a", { is_error: true }),
    tool_result_meta: [{ id: "a", non_execution_kind: "user-rejected" }],
  };
  const items = pastItems([call("1", "a"), denied, call("3", "b"), result("4", "b", { is_error: true })]);
  expect(items.map(({ tool }) => tool?.status)).toEqual(["denied", "error"]);
});

test.for<[string, Message]>([
  ["the agent's note to itself", user("1", "Remember this", { is_meta: true })],
  ["a notification of background work", user("1", "It ended", { origin: { kind: "task-notification" } })],
  ["the output of a command of its terminal UI", user("1", "<local-command-stdout>x</local-command-stdout>")],
  ["a command of its terminal UI", user("1", "<command-name>/model</command-name>")],
  ["a synthetic reply", assistant("1", { type: "text", text: "API Error" }, synthetic())],
  ["redacted thinking", assistant("1", { type: "thinking", thinking: "" })],
  ["an unknown kind of message", { type: "novel", uuid: "1" }],
  ["nothing at all", {}],
])("a stored conversation leaves out %s", ([, message]) => {
  expect(pastItems([message])).toEqual([]);
});

function synthetic(): Message {
  return { message: { model: "<synthetic>", content: [{ type: "text", text: "API Error" }] } };
}

test("a stored conversation shows where the agent compacted it, but not the summary", () => {
  const summary = user("1", "So far …", { is_meta: true, isCompactSummary: true });
  expect(pastItems([summary, user("2", "Go on")]).map(({ kind, code }) => [kind, code])).toEqual([
    ["notice", "COMPACTED"],
    ["user", undefined],
  ]);
});

test("a stored conversation shows an interruption as such, not as a person's message", () => {
  const [item] = pastItems([
    user("1", [{ type: "text", text: "[Request interrupted by user for tool use]" }]),
  ]);
  expect(item).toMatchObject({ kind: "notice", code: "CANCELLED", cut: "1" });
});

test("a stored conversation keeps the text beside an image, and names the image", () => {
  const [item] = pastItems([
    user("1", [
      { type: "text", text: "Look:" },
      { type: "image", source: {} },
    ]),
  ]);
  expect(item).toMatchObject({ kind: "user", text: "Look:\n[image]" });
});

test("a stored conversation has a sub-agent's items once, even if it claims one of its own calls as its parent", () => {
  const odd = call("2", "a", { parent_tool_use_id: "a" });
  expect(pastItems([call("1", "a"), odd]).map(({ parentToolCallId }) => parentToolCallId)).toEqual([
    undefined,
    "a",
  ]);
});
