// Answers in plain text with colours, a few milliseconds between lines; exits with the code `--after`. With --release FILE
// it waits halfway for that file.
import { setTimeout as delay } from "node:timers/promises";
import { args, prompt, released, write } from "./jsonl-kit.mjs";

prompt();
for (let n = 0; n < Number(args.count ?? 3); n++) {
  if (n === Number(args.count) / 2) await released();
  write(`\u001b[32mline\u001b[0m ${n}\n`);
  await delay(2);
}
if (args.after !== undefined) process.stderr.write("the last word\n");
process.exitCode = Number(args.after ?? 0);
