// Writes each line of its message as it is, then ends with the exit code `--count` says.
import { args, messageOf, prompt, write } from "./jsonl-kit.mjs";

write(`${messageOf(prompt()).trimEnd()}\n`);
process.exitCode = Number(args.count ?? 0);
