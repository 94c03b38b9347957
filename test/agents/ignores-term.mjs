// Takes no notice of polite signals or of the end of its input, and neither does its child. `--file` gets both pids.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { args, serve, stayAlive } from "./kit.mjs";

const signals = ["SIGTERM", "SIGINT", "SIGHUP"];
for (const signal of signals) process.on(signal, () => {});
stayAlive();

const deaf = `for (const s of ${JSON.stringify(signals)}) process.on(s, () => {}); setInterval(() => {}, 1 << 30); console.log("deaf");`;
const child = spawn(process.execPath, ["-e", deaf], { stdio: ["ignore", "pipe", "ignore"] });
child.stdout.once("data", () => {
  if (args.file) writeFileSync(args.file, `${JSON.stringify({ agent: process.pid, child: child.pid })}\n`);
  serve({
    prompt({ say }) {
      say("I am not listening.");
      return "end_turn";
    },
    atEnd() {},
  });
});
