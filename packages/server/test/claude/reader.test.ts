import { expect, test } from "vitest";
import { asLines, factsOf, newReader, newState, only, recorded } from "./support.ts";

const say = (text: string) =>
  JSON.stringify({
    type: "stream_event",
    parent_tool_use_id: null,
    event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  });

test("consecutive pieces of one text become one fact of limited size", () => {
  const pieces = Array.from({ length: 30 }, () => "sheep ".repeat(1000));
  const { facts } = newReader().read(asLines(pieces.map(say)));
  const texts = only(facts, "text").map(({ text }) => text);
  expect(texts.join("")).toBe(pieces.join(""));
  expect(texts.length).toBe(3);
  expect(Math.max(...texts.map(({ length }) => length))).toBeLessThanOrEqual(65_536);
});

test("S6 an invalid line is reported and the next one is read", () => {
  const lines = ["Warning: \u001b[31mred", "[1]", '{"no":"type"}', "", say("Hello.")];
  const { facts } = newReader().read(asLines(lines));
  expect(only(facts, "notice").map(({ code, facts: { excerpt } }) => [code, excerpt])).toEqual([
    ["BAD_LINE", "Warning: �[31mred"],
    ["BAD_LINE", "[1]"],
    ["BAD_LINE", '{"no":"type"}'],
  ]);
  expect(facts.at(-1)).toEqual({ type: "text", text: "Hello." });
});

test("a program that writes only noise does not fill the log", () => {
  const { facts } = newReader().read(asLines(Array(100).fill("noise")));
  expect(only(facts, "notice")).toHaveLength(21);
});

test("a line that is too long is reported, and an incomplete last line is not", () => {
  const { facts } = newReader().read([
    { kind: "skipped", length: 100_000_000, end: 100_000_001 },
    { kind: "torn", text: '{"type":"res', end: 100_000_013 },
  ]);
  expect(facts).toMatchObject([{ type: "notice", code: "LINE_SKIPPED", facts: { bytes: 100_000_000 } }]);
});

const request = (id: string) =>
  JSON.stringify({
    type: "control_request",
    request_id: id,
    request: {
      subtype: "can_use_tool",
      tool_name: "Bash",
      tool_use_id: `call_${id}`,
      input: { command: id },
    },
  });

/** The agent's answer to a server's handshake. */
const waitingFor = (...ids: string[]) =>
  JSON.stringify({
    type: "control_response",
    response: { subtype: "success", pending_permission_requests: ids.map((id) => JSON.parse(request(id))) },
  });

test("a request that the agent makes after reporting its open requests is open, too", () => {
  const reader = newReader();
  // Sent to a server that has died since, and read by the next one together with later output.
  const { waiting } = reader.read(asLines([waitingFor("one"), request("two")]));
  expect(waiting).toEqual(["one", "two"]);
  expect(reader.read(asLines([request("three")])).waiting).toBeUndefined();
  expect(reader.read(asLines([request("four"), waitingFor("four")])).waiting).toEqual(["four"]);
});

test("a reader that rereads a process from its first line gets the same facts as the original one", async () => {
  for (const name of ["approved", "sub-agents", "background", "tasks", "files"]) {
    const lines = await recorded(name);
    const whole = JSON.stringify(await factsOf(name).then(unjoined));
    for (let at = 0; at <= lines.length; at += 7) {
      const before = newReader().read(asLines(lines.slice(0, at))).facts;
      const second = newReader(newState());
      second.read(asLines(lines.slice(0, at)));
      const after = second.read(asLines(lines.slice(at))).facts;
      expect(JSON.stringify(unjoined([...before, ...after]))).toBe(whole);
    }
  }
});

/** Joins pieces, because batch boundaries decide which pieces are joined. */
function unjoined(facts: Awaited<ReturnType<typeof factsOf>>): unknown[] {
  const joined: Record<string, unknown>[] = [];
  for (const fact of facts) {
    const last = joined.at(-1);
    if (fact.type === "text" && last?.["type"] === "text" && last["parent"] === fact.parent) {
      last["text"] = `${last["text"]}${fact.text}`;
    } else if (
      fact.type === "tool_input" &&
      last?.["toolCallId"] === fact.toolCallId &&
      last["type"] === "tool_input"
    ) {
      last["inputText"] = `${last["inputText"]}${fact.inputText}`;
    } else joined.push({ ...fact });
  }
  return joined;
}
