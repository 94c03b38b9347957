// Reports the end of its turn but does not exit; with --count 0 it writes nothing at all.
import { args, line, prompt } from "./jsonl-kit.mjs";
import { stayAlive } from "./kit.mjs";

prompt();
line({ type: "word", text: "here" });
if (args.count !== "0") line({ type: "result" });
stayAlive();
