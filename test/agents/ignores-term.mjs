// Ignores SIGTERM, SIGINT, SIGHUP and the end of its input, and so does its child. `--file` gets both pids, and
// FILE.signals the signals it received; a turn takes `--after` milliseconds (default 0).
import { spawn } from "node:child_process";
import { appendFileSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { args, serve, stayAlive } from "./kit.mjs";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
for (const signal of signals) {
  process.on(signal, () => args.file && appendFileSync(`${args.file}.signals`, `${signal}\n`));
}
stayAlive();

const deaf = `for (const s of ${JSON.stringify(signals)}) process.on(s, () => {}); setInterval(() => {}, 1 << 30); console.log("deaf");`;
const child = spawn(process.execPath, ["-e", deaf], { stdio: ["ignore", "pipe", "ignore"] });
child.stdout.once("data", () => {
  if (args.file) writeFileSync(args.file, `${JSON.stringify({ agent: process.pid, child: child.pid })}\n`);
  serve({
    async prompt({ say }) {
      await setTimeout(Number(args.after ?? 0));
      say("I am not listening.");
      return "end_turn";
    },
    atEnd() {},
  });
});
