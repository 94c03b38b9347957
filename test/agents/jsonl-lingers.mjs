// A worker that reports the end of its turn and signals, then does a little more, and never exits.
import { mkdirSync, writeFileSync } from "node:fs";
import { line, prompt } from "./jsonl-kit.mjs";
import { stayAlive } from "./kit.mjs";

prompt();
mkdirSync(".drover/output", { recursive: true });
writeFileSync(".drover/output/signal.json", JSON.stringify({ status: "done", result: "early" }));
line({ type: "result" });
setTimeout(() => writeFileSync("late.txt", "late\n"), 200);
stayAlive();
