import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { readFrames } from "../../src/cli/server/sse.ts";
import { clip, harmless } from "../../src/cli/view/style.ts";
import { table } from "../../src/cli/view/table.ts";
import { age, askedFor, resultText, settlingCommand } from "../../src/cli/view/words.ts";
import { bytes, shellWord } from "../../src/doctor/words.ts";
import { anApproval, aQuestion } from "./fake-server.ts";

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

  test("gives a frame of 16 MB whole", async () => {
    const data = "x".repeat(16 * 1024 ** 2);
    const [frame] = await framesOf(`id: 1\ndata: ${data}\n\n`, 64 * 1024);
    expect(frame?.data.length).toBe(data.length);
  });
});

describe("text for a terminal", () => {
  test("keeps words, lines and tabs, and loses everything that could steer the terminal", () => {
    expect(harmless("a\tb\n🐑 é")).toBe("a\tb\n🐑 é");
    expect(
      harmless("\u001b[31mred\u001b[0m \u001b]52;c;aGk=\u0007x\u001bPq\u001b\\ \r\b\u0007\u202e\u0085"),
    ).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test("is cut with an ellipsis on one line", () => {
    expect(clip("one\ntwo three", 7)).toBe("one tw…");
  });
});

describe("a table", () => {
  test("on a terminal that does not know its width has room for 80 characters", () => {
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 0 });
    const title = "x".repeat(60);
    expect(table(["NAME", "TITLE"], [["brave-otter", title]], { output })).toContain(title);
  });

  const rows = [
    ["fox", "a title that is longer than the terminal is wide"],
    ["brave-otter", "short"],
  ];

  test("is aligned, and whole where it is not shown on a terminal", () => {
    expect(table(["NAME", "TITLE"], rows, { output: new PassThrough() })).toBe(
      "NAME         TITLE\nfox          a title that is longer than the terminal is wide\nbrave-otter  short\n",
    );
  });

  test("keeps a row on one line of a terminal", () => {
    const output = Object.assign(new PassThrough(), { isTTY: true, columns: 30 });
    const lines = table(["NAME", "TITLE"], rows, { output }).trimEnd().split("\n");
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

  test("quote what a shell would take apart", () => {
    expect([shellWord("q1=Red"), shellWord("q1=Dark blue"), shellWord("it's")]).toEqual([
      "q1=Red",
      "'q1=Dark blue'",
      "'it'\\''s'",
    ]);
  });

  test("name the exact command that is asked for, else the title", () => {
    expect(askedFor(anApproval({ title: "Run a command" }))).toBe("npm test");
    expect(askedFor(anApproval({ input: { path: "a.txt" }, title: "Write a.txt" }))).toBe("Write a.txt");
    expect(askedFor(aQuestion())).toBe("Which colour?");
  });

  test("give the command that settles it, for a question without choices with a place for words", () => {
    const free = aQuestion({ questions: [{ id: "q1", question: "Why?", options: [], multiSelect: false }] });
    expect(settlingCommand(free)).toBe(`drover answer ${free.id} 'q1=…' (q1: any text)`);
  });

  test("find the text in whatever shape a tool's result has", () => {
    expect(resultText("plain")).toBe("plain");
    expect(resultText([{ type: "content", content: { type: "text", text: "one" } }, { text: "two" }])).toBe(
      "one\ntwo",
    );
    expect(resultText({ output: "out", exitCode: 0 })).toBe("out");
    expect(resultText({ nothing: 1 })).toBe("");
  });
});
