import type { AgentFact } from "@drover/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyText } from "../../../../test/kit/any-text.ts";
import { UpdateMapper } from "../../src/drivers/acp/map.ts";
import { Reader } from "../../src/drivers/acp/reader.ts";
import { LineSplitter } from "../../src/process/lines.ts";

function reader(more: { isOpen?: boolean; opens?: string } = {}): Reader {
  return new Reader({
    mapper: new UpdateMapper({ isUnderWay: false }),
    name: "Test Agent",
    opensConversation: (id) => id === more.opens,
    isOpen: more.isOpen ?? true,
    now: () => 0,
  });
}

const lines = (...texts: string[]) =>
  new LineSplitter().push(Buffer.from(texts.map((text) => `${text}\n`).join("")));
const read = (one: Reader, ...texts: string[]) => one.read(lines(...texts));
const textOf = (facts: readonly AgentFact[]): string =>
  facts.map((fact) => (fact.type === "text" || fact.type === "thinking" ? fact.text : "")).join("");

const chunk = (text: string, more: object = {}): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text }, ...more },
    },
  });

test("the fast path for text chunks gives the same result as JSON.parse, however output is split", () => {
  const words = fc.oneof(
    fc.string({ unit: "grapheme" }),
    anyText(),
    fc.constantFrom('"', "\\", '\\"', "\\\\", '","text":"', '"}', "\\u0041", "\u2028", "\ud83d", "\n"),
  );
  const message = fc.record({ text: words, messageId: fc.constantFrom("m1", "m2", '"text":"x"') });
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const texts = messages.map(({ text, messageId }) => chunk(text, { messageId }));
      const expected = messages.map(({ text }) => text).join("");
      expect(textOf(read(reader(), ...texts).facts)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("a line that only resembles the chunk before it is parsed separately", () => {
  const twice = '{"text":"decoy","text":"real"}';
  const crafted = chunk("plain").replace('"text":"plain"', '"text":"plain","type":"image"');
  const { facts } = read(
    reader(),
    chunk("one "),
    crafted,
    chunk("").replace('{"type":"text","text":""}', `{"type":"text",${twice.slice(1)}`),
    chunk(" three"),
  );
  expect(textOf(facts)).toBe("one [image]real three");
});

test("text and thoughts in alternating chunks stay apart", () => {
  const one = reader();
  const thought = (text: string): string => chunk(text).replace("agent_message_chunk", "agent_thought_chunk");
  const { facts } = read(one, chunk("a"), chunk("b"), thought("c"), thought("d"), chunk("e"));
  expect(facts).toEqual([
    { type: "text", text: "ab" },
    { type: "thinking", text: "cd" },
    { type: "text", text: "e" },
  ]);
});

test("S6 an agent that writes only invalid lines causes twenty notices and a summary", () => {
  const one = reader();
  const garbage = Array.from({ length: 500 }, (_, n) => `garbage ${n}`);
  const { facts } = read(one, ...garbage);
  expect(facts).toHaveLength(21);
  expect(facts.every((fact) => fact.type === "notice" && fact.code === "BAD_LINE")).toBe(true);
  expect(read(one, "more garbage", chunk("but this counts")).facts).toEqual([
    { type: "text", text: "but this counts" },
  ]);
});

test("an excerpt of an invalid line is short and printable", () => {
  const [fact] = read(reader(), `\u001b]0;evil\u0007${"x".repeat(1_000)}`).facts;
  expect(fact).toMatchObject({ facts: { excerpt: `\ufffd]0;evil\ufffd${"x".repeat(71)}…` } });
});

test("irrelevant messages are not invalid lines", () => {
  const quiet = [
    "",
    "  ",
    '{"jsonrpc":"2.0","method":"_auth/status_update","params":{}}',
    '{"jsonrpc":"2.0","id":"nobody asked","result":{}}',
    '{"jsonrpc":"2.0","method":"session/update"}',
  ];
  expect(read(reader(), ...quiet).facts).toEqual([]);
});

test("batches, bare values, other objects and messages with odd ids are invalid lines", () => {
  const garbage = ["[]", "42", "null", '"text"', "{}", '{"id":1}', '{"id":{},"method":"x"}', '{"method":7}'];
  expect(read(reader(), ...garbage).facts).toHaveLength(garbage.length);
});

test("an incomplete last line is not invalid, and a complete one without its newline is read", () => {
  const splitter = new LineSplitter();
  splitter.push(Buffer.from(chunk("whole")));
  expect(textOf(reader().read(splitter.finish()).facts)).toBe("whole");
  splitter.push(Buffer.from(chunk("torn").slice(0, -10)));
  expect(reader().read(splitter.finish()).facts).toEqual([]);
});

test("updates before the conversation is open are its history and are not reported", () => {
  const one = reader({ isOpen: false, opens: "e1:1" });
  const answer = '{"jsonrpc":"2.0","id":"e1:1","result":{}}';
  const refused = '{"jsonrpc":"2.0","id":"e1:1","error":{"code":-32002,"message":"?"}}';
  const { facts } = read(one, chunk("old"), refused, chunk("older"), answer, chunk("new"), chunk("est"));
  expect(textOf(facts)).toBe("newest");
});

test("requests keep their order among the facts, and ids keep their type", () => {
  const ask = (id: unknown): string =>
    JSON.stringify({
      jsonrpc: "2.0",
      id,
      method: "session/request_permission",
      params: { toolCall: { toolCallId: "t", title: "T" }, options: [] },
    });
  const { facts, requests, messages } = read(reader(), chunk("a"), ask(1), chunk("b"), ask("1"));
  expect(facts.map(({ type }) => type)).toEqual([
    "text",
    "tool_start",
    "approval_request",
    "text",
    "approval_request",
  ]);
  expect(requests.map(({ requestKey }) => requestKey)).toEqual(["1", '"1"']);
  expect(messages).toHaveLength(2);
});

test("a number in a tool's input that JavaScript would round is shown as the agent wrote it", () => {
  const rawInput = '{"id":9007199254740993,"small":9007199254740991,"huge":1e400,"note":"9007199254740993"}';
  const toolCall = `{"toolCallId":"c","title":"pay","kind":"other","rawInput":${rawInput}}`;
  const options = '[{"optionId":"y","name":"Yes","kind":"allow_once"}]';
  const params = `{"sessionId":"s","toolCall":${toolCall},"options":${options}}`;
  const asked = `{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":${params}}`;
  const request = read(reader(), asked).facts.find(({ type }) => type === "approval_request");
  expect(request).toMatchObject({
    input: { id: "9007199254740993", small: 9007199254740991, huge: "1e400", note: "9007199254740993" },
  });
});
