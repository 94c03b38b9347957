// A made-up JSON-lines program: writes its conversation's id, its arguments, and the sha256 and length of its message.
// If resumed with --continue ID it keeps that id. Its lines have a format of their own.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { isatty } from "node:tty";
import { line, messageOf, prompt } from "./jsonl-kit.mjs";

const argument = (name) => process.argv[process.argv.indexOf(name) + 1];
const isResumed = process.argv.includes("--continue");
const whole = prompt();
const message = messageOf(whole);
const started = {
  argv: process.argv.slice(2),
  prompt: whole,
  terminals: [0, 1, 2].filter((fd) => isatty(fd)),
  heeds: process.env.HEEDS,
};
writeFileSync(argument("--started"), JSON.stringify(started));
line({ kind: "noise", type: "hello" });
line({ type: "opened", talk: { id: isResumed ? argument("--continue") : `talk-${process.pid}` } });
line({ type: "word", payload: { said: `${createHash("sha256").update(message).digest("hex")} ` } });
line({ type: "word", payload: { said: `${Buffer.byteLength(message)}` } });
line({ type: "closed", ok: true });
