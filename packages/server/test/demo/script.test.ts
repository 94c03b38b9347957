import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOf } from "../../src/agents/demo/parts.ts";
import { type Instruction, parseScript } from "../../src/agents/demo/script.ts";

describe("the demo agent's script", () => {
  const cases: [string, Instruction][] = [
    ["tour", { do: "tour" }],
    ["/tour", { do: "tour" }],
    ["/stream 3", { do: "stream", words: 3 }],
    ["/unknown", { do: "say", text: "/unknown" }],
    ["say Hello *there*", { do: "say", text: "Hello *there*" }],
    ["stream 200", { do: "stream", words: 200 }],
    ["slow 15", { do: "slow", ms: 15 }],
    ["read docs/a b.md", { do: "read", path: "docs/a b.md" }],
    ["write notes.txt two  words", { do: "write", path: "notes.txt", text: "two  words" }],
    ["run echo a | wc -c", { do: "run", command: "echo a | wc -c" }],
    ["ask Which? | Red | Blue", { do: "ask", question: "Which?", options: ["Red", "Blue"] }],
    ["ask What is your name?", { do: "ask", question: "What is your name?", options: [] }],
    ["todo one, two , three", { do: "todo", tasks: ["one", "two", "three"] }],
    ["think Hm", { do: "think", text: "Hm" }],
    ["fail It broke", { do: "fail", message: "It broke" }],
    ["limit 3600", { do: "limit", seconds: 3600 }],
    ["crash", { do: "crash", code: 1 }],
    ["crash 7", { do: "crash", code: 7 }],
    ["hang", { do: "hang" }],
  ];
  const block = ["```js", "one", "", "write two.txt 2", "```"];
  it("writes a fenced block below a path", () => {
    expect(parseScript(["write a.js", ...block, "hang"].join("\n"))).toEqual([
      { do: "write", path: "a.js", text: "one\n\nwrite two.txt 2\n" },
      { do: "hang" },
    ]);
    expect(parseScript(["write a.js", "```", "hang"].join("\n"))).toEqual([
      { do: "say", text: "write a.js" },
      { do: "say", text: "```" },
      { do: "hang" },
    ]);
  });

  it("keeps what follows a pause for the next prompt, whose own lines do not count", () => {
    const first = partsOf("say one\npause\nsay two\n pause \r\nsay three", undefined);
    expect(first).toEqual({ now: "say one", later: "say two\n pause \nsay three" });
    const second = partsOf("fail it", first.later);
    expect(second).toEqual({ now: "say two", later: "say three" });
    expect(partsOf("fail it", second.later)).toEqual({ now: "say three" });
    expect(partsOf("fail it", undefined)).toEqual({ now: "fail it" });
    // A prompt that is repeated starts its script anew.
    expect(partsOf("say one\npause\nsay two", first.later)).toEqual({ now: "say one", later: "say two" });
    expect(partsOf("say one\npause\n", undefined)).toEqual({ now: "say one" });
  });

  it.each(cases)("parses %j as one instruction", (line, instruction) => {
    expect(parseScript(line)).toEqual([instruction]);
  });

  it.each([
    "tour guide",
    "hang on",
    "say",
    "run",
    "stream many",
    "stream -1",
    "stream 1000000000",
    "slow 1.5",
    "write notes.txt",
    "ask |",
    "todo ,",
    "limit soon",
    "crash 256",
    "crash now",
    "Say hello",
    "constructor",
    "    const x = 1;",
    "",
  ])("echoes %j, which is not an instruction", (line) => {
    expect(parseScript(`${line}\n`)).toEqual([{ do: "say", text: line }]);
  });

  it("parses one instruction per line, blank lines included, whatever the line endings", () => {
    expect(parseScript("say a\r\n\r\n  say b\n")).toEqual([
      { do: "say", text: "a" },
      { do: "say", text: "" },
      { do: "say", text: "b" },
    ]);
  });

  it("has as many instructions as lines, for any text", () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter((line) => !/[\r\n]/.test(line))), (lines) => {
        expect(parseScript(lines.map((line) => `${line}\n`).join(""))).toHaveLength(
          Math.max(lines.length, 0),
        );
      }),
    );
  });
});
