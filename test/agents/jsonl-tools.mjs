// Begins a tool call, is held with --release FILE, ends it, and exits without a word about its turn with the code
// `--count` says.
import { args, line, prompt, released } from "./jsonl-kit.mjs";

prompt();
line({ type: "begin", id: "a", tool: "grep", input: { pattern: "x" } });
await released();
line({ type: "end", id: "a", output: "3 lines" });
line({ type: "word", text: "Found it." });
process.exitCode = Number(args.count ?? 0);
