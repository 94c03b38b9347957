// Begins a tool call, waits for --release FILE, ends the call, and exits with the code `--count` without reporting the end
// of its turn.
import { args, line, prompt, released } from "./jsonl-kit.mjs";

prompt();
line({ type: "begin", id: "a", tool: "grep", input: { pattern: "x" } });
await released();
line({ type: "end", id: "a", output: "3 lines" });
line({ type: "word", text: "Found it." });
process.exitCode = Number(args.count ?? 0);
