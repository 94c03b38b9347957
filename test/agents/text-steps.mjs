// A program without events. It says the sha256 and length of its message, then does what each line of it says:
//   say WORDS | run COMMAND | exit CODE
// Any other line means nothing to it.
import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { messageOf, prompt, write } from "./jsonl-kit.mjs";

const message = messageOf(prompt());
write(`${createHash("sha256").update(message).digest("hex")} ${Buffer.byteLength(message)}\n`);
for (const line of message.split("\n")) {
  const [, word, rest] = /^(say|run|exit) (.*)$/.exec(line) ?? [];
  if (word === "say") write(`${rest}\n`);
  if (word === "run") execSync(rest, { stdio: "ignore" });
  if (word === "exit") process.exit(Number(rest));
}
