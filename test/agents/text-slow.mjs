// Answers in plain text, with colours, a few milliseconds between its lines; ends with the exit code `--after` says.
import { setTimeout as delay } from "node:timers/promises";
import { args, prompt, write } from "./jsonl-kit.mjs";

prompt();
for (let n = 0; n < Number(args.count ?? 3); n++) {
  write(`\u001b[32mline\u001b[0m ${n}\n`);
  await delay(2);
}
if (args.after !== undefined) process.stderr.write("the last word\n");
process.exitCode = Number(args.after ?? 0);
