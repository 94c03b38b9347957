// Reads one prompt after another as lines of JSON, and answers each with its number and its text.
import { createInterface } from "node:readline";
import { line } from "./jsonl-kit.mjs";

let count = 0;
createInterface({ input: process.stdin }).on("line", (text) => {
  const { content } = JSON.parse(text).message;
  count += 1;
  if (content.endsWith("die")) process.exit(3);
  line({ type: "word", text: `${count}: ${content}` });
  if (!content.endsWith("hang")) line({ type: "result", ok: true });
});
