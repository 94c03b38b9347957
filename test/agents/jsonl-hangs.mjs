// Says that it is done and does not end; or, with --count 0, says nothing at all.
import { args, line, prompt } from "./jsonl-kit.mjs";
import { stayAlive } from "./kit.mjs";

prompt();
line({ type: "word", text: "here" });
if (args.count !== "0") line({ type: "result" });
stayAlive();
