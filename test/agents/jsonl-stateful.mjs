// Takes one prompt after another as lines of JSON, no other line, and answers each with how many it has had and what
// the last one said.
import { createInterface } from "node:readline";
import { line } from "./jsonl-kit.mjs";

let heard = 0;
createInterface({ input: process.stdin }).on("line", (text) => {
  const { content } = JSON.parse(text).message;
  heard += 1;
  if (content.endsWith("die")) process.exit(3);
  line({ type: "word", text: `${heard}: ${content}` });
  if (!content.endsWith("hang")) line({ type: "result", ok: true });
});
