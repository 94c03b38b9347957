// Follows the lines of its message: `write PATH TEXT`, `delete PATH`, and `late PATH TEXT` (a second after it has reported
// the end of its turn), then says its whole prompt. Without `--may write` it changes nothing, like a program whose sandbox
// is read-only. `die` kills it, `wait` waits for --release FILE.
import { rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { args, line, messageOf, prompt, released } from "./jsonl-kit.mjs";

const whole = prompt();
const late = [];
for (const instruction of messageOf(whole).split("\n")) {
  const [word, path, ...text] = instruction.split(" ");
  if (word === "wait") await released();
  if (word === "die") process.kill(process.pid, "SIGKILL");
  if (args.may !== "write" || path === undefined) continue;
  if (word === "write") writeFileSync(path, `${text.join(" ")}\n`);
  if (word === "delete") rmSync(path);
  if (word === "late") late.push(() => writeFileSync(path, `${text.join(" ")}\n`));
}
line({ type: "word", text: `${args.may}: ${whole}` });
line({ type: "result" });
// A checkpoint that does not wait for the end of this process is taken meanwhile.
if (late.length > 0) await delay(1_000);
for (const write of late) write();
