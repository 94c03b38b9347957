// Writes its whole environment as JSON to `--file`, then works like any other agent.
import { writeFileSync } from "node:fs";
import { args, serve } from "./kit.mjs";

writeFileSync(args.file, `${JSON.stringify(process.env)}\n`);

serve({
  prompt({ say }) {
    say("written");
    return "end_turn";
  },
});
