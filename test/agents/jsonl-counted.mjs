// Adds a line to `--file` each time it is started with a prompt, then answers.
import { appendFileSync } from "node:fs";
import { args, line, messageOf, prompt } from "./jsonl-kit.mjs";

appendFileSync(args.file, `${messageOf(prompt())}\n`);
line({ type: "word", text: "done" });
line({ type: "result" });
