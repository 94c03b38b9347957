import { PassThrough } from "node:stream";
import { shellWord } from "@drover/core";
import { describe, expect, test } from "vitest";
import { readFrames } from "../../src/cli/server/sse.ts";
import { Writer } from "../../src/cli/terminal/writer.ts";
import { askedInFull, settlingCommand } from "../../src/cli/view/asked.ts";
import { printTable, type Table } from "../../src/cli/view/table.ts";
import { clip } from "../../src/cli/view/text.ts";
import { age, resultText } from "../../src/cli/view/words.ts";
import { bytes } from "../../src/doctor/words.ts";
import { anApproval, aQuestion } from "./fixtures.ts";

async function framesOf(text: string, size: number) {
  const all = Buffer.from(text);
  async function* body() {
    for (let at = 0; at < all.length; at += size) yield all.subarray(at, at + size);
  }
  const frames = [];
  for await (const frame of readFrames(body())) frames.push(frame);
  return frames;
}

describe("an event stream", () => {
  const text =
    ': hb\n\nretry: 1000\n\nid: 7\nevent: text_delta\ndata: {"text":"a🐑"}\n\n: hb\n\nid: 8\r\nevent:done\r\ndata:x\r\ndata: y\r\n\r\nid: 9\ndata: cut off';

  test.for([1, 2, 3, 7, 1000])("is the same when it arrives in pieces of %i bytes", async (size) => {
    expect(await framesOf(text, size)).toEqual([
      { id: "7", event: "text_delta", data: '{"text":"a🐑"}' },
      { id: "8", event: "done", data: "x\ny" },
    ]);
  });

  test("returns a frame of 16 MB in one piece", async () => {
    const data = "x".repeat(16 * 1024 ** 2);
    const [frame] = await framesOf(`id: 1\ndata: ${data}\n\n`, 64 * 1024);
    expect(frame?.data.length).toBe(data.length);
  });
});

describe("text for a terminal", () => {
  test("is cut with an ellipsis on one line", () => {
    expect(clip("one\ntwo three", 7)).toBe("one tw…");
  });
});

function tableOf(table: Table, terminal?: { columns: number }): string {
  const stream = Object.assign(new PassThrough(), terminal && { isTTY: true, ...terminal });
  printTable(new Writer(stream, { colour: false }), table);
  return String(stream.read());
}

describe("a table", () => {
  test("on a terminal of unknown width has 80 columns", () => {
    const title = "x".repeat(60);
    const table = { headings: ["NAME", "TITLE"], rows: [["brave-otter", title]] };
    expect(tableOf(table, { columns: 0 })).toContain(title);
  });

  const rows = [
    ["fox", "a title that is longer than the terminal is wide"],
    ["brave-otter", "short"],
  ];

  test("is aligned, and not cut without a terminal", () => {
    expect(tableOf({ headings: ["NAME", "TITLE"], rows })).toBe(
      "NAME         TITLE\nfox          a title that is longer than the terminal is wide\nbrave-otter  short\n",
    );
  });

  test("keeps a row on one line of a terminal", () => {
    const lines = tableOf({ headings: ["NAME", "TITLE"], rows }, { columns: 30 }).split("\n");
    expect(lines[1]).toBe("fox          a title that is …");
  });
});

describe("words", () => {
  test("give ages and sizes in the unit that fits", () => {
    const now = Date.parse("2026-02-18T14:30:00Z");
    const ages = [5, 90, 7200, 200_000].map((seconds) =>
      age(new Date(now - seconds * 1000).toISOString(), now),
    );
    expect(ages).toEqual(["5 s", "1 min", "2 h", "2 d"]);
    expect([0, 1023, 1536, 512 * 1024 ** 2, 3 * 1024 ** 3].map(bytes)).toEqual([
      "0 B",
      "1023 B",
      "1.5 KiB",
      "512 MiB",
      "3.0 GiB",
    ]);
  });

  test("quote words that a shell would split", () => {
    expect([shellWord("q1=Red"), shellWord("q1=Dark blue"), shellWord("it's")]).toEqual([
      "q1=Red",
      "'q1=Dark blue'",
      "'it'\\''s'",
    ]);
  });

  test("name the exact command, otherwise the title", () => {
    expect(askedInFull(anApproval({ title: "Run a command" }))).toBe(
      "npm test · tool: run · title: Run a command",
    );
    expect(askedInFull(anApproval({ input: { path: "a.txt", mode: 7 }, title: "Write a.txt" }))).toBe(
      "Write a.txt · tool: run · path: a.txt · mode=7",
    );
    expect(askedInFull(aQuestion())).toMatch(/^Which colour\? · key: q1 · option: Red · option: Dark blue/);
    // N5: a choice is about a tool call.
    expect(askedInFull(aQuestion({ toolName: "run", input: { command: "npm test" } }))).toMatch(
      /^npm test · tool: run · key: q1 · question: Which colour\? · option: Red/,
    );
  });

  test("give the settling command, with a placeholder for a question without options", () => {
    const free = aQuestion({ questions: [{ id: "q1", question: "Why?", options: [], multiSelect: false }] });
    expect(settlingCommand(free)).toBe(`drover answer ${free.id} 'q1=…' (q1: any text)`);
  });

  test("find the text of a tool's result in any shape", () => {
    expect(resultText("plain")).toBe("plain");
    expect(resultText([{ type: "content", content: { type: "text", text: "one" } }, { text: "two" }])).toBe(
      "one\ntwo",
    );
    expect(resultText({ output: "out", exitCode: 0 })).toBe("out");
    expect(resultText({ nothing: 1 })).toBe("");
  });
});
