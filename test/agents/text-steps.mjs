// A program without events. It writes the sha256 and length of its message, then follows each line of it:
//   say WORDS | run COMMAND | exit CODE
// It ignores any other line.
import { execSync } from "node:child_process";
import { createHash } from "node:crypto";
import { messageOf, prompt, write } from "./jsonl-kit.mjs";

const message = messageOf(prompt());
write(`${createHash("sha256").update(message).digest("hex")} ${Buffer.byteLength(message)}\n`);
for (const line of message.split("\n")) {
  const [, word, argument] = /^(say|run|exit) (.*)$/.exec(line) ?? [];
  if (word === "say") write(`${argument}\n`);
  if (word === "run") execSync(argument, { stdio: "ignore" });
  if (word === "exit") process.exit(Number(argument));
}
