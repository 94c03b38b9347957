import { expect, test } from "vitest";
import { TextReader } from "../../src/drivers/text/reader.ts";
import { linesOf } from "../jsonl/support.ts";

const said = (output: string): string =>
  new TextReader("Kit")
    .read(linesOf(output))
    .map((fact) => ("text" in fact ? fact.text : ""))
    .join("");

test("an answer stands as it would on a screen in the end, without colours and titles", () => {
  expect(said("\u001b[1;32mgreen\u001b[0m\n\u001b]0;a title\u0007\tindented\r\nlast")).toBe(
    "green\n\tindented\nlast",
  );
  expect(said("10 %\r50 %\rdone\n")).toBe("done\n");
  expect(said("bell\u0007 back\u0008space\n")).toBe("bell backspace\n");
});

test("exit 0 is success, anything else is not, and nobody's guess is", () => {
  const ended = (code: number | null, signal: string | null = null) =>
    new TextReader("Kit").conclude({ code, signal, stderrTail: "" }).fault?.code;
  expect(ended(0)).toBeUndefined();
  expect(ended(1)).toBe("AGENT_CRASHED");
  expect(ended(null, "SIGKILL")).toBe("AGENT_CRASHED");
  expect(ended(null), "its exit is known to nobody").toBe("AGENT_CRASHED");
  expect(ended(127)).toBe("AGENT_UNREACHABLE");
});
