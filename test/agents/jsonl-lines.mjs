// Writes each line of its message unchanged, then exits with the code `--count`.
import { args, messageOf, prompt, write } from "./jsonl-kit.mjs";

write(`${messageOf(prompt()).trimEnd()}\n`);
process.exitCode = Number(args.count ?? 0);
