import { expect, test } from "vitest";
import { TextReader } from "../../src/drivers/text/reader.ts";
import { linesOf } from "../jsonl/support.ts";

const textOf = (output: string): string =>
  new TextReader("Kit")
    .read(linesOf(output))
    .map((fact) => ("text" in fact ? fact.text : ""))
    .join("");

test("an answer is the text that a terminal would finally show, without colours and titles", () => {
  expect(textOf("\u001b[1;32mgreen\u001b[0m\n\u001b]0;a title\u0007\tindented\r\nlast")).toBe(
    "green\n\tindented\nlast",
  );
  expect(textOf("10 %\r50 %\rdone\n")).toBe("done\n");
  expect(textOf("bell\u0007 back\u0008space\n")).toBe("bell backspace\n");
});

test("exit code 0 is success, and everything else is a failure", () => {
  const ended = (code: number | null, signal: string | null = null) =>
    new TextReader("Kit").conclude({ code, signal, stderrTail: "" }).fault?.code;
  expect(ended(0)).toBeUndefined();
  expect(ended(1)).toBe("AGENT_CRASHED");
  expect(ended(null, "SIGKILL")).toBe("AGENT_CRASHED");
  expect(ended(null), "its exit is unknown").toBe("AGENT_CRASHED");
  expect(ended(127)).toBe("AGENT_UNREACHABLE");
});
