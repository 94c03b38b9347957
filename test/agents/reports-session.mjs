// Writes, as JSON, the parameters its conversation was opened with.

import { appendFileSync } from "node:fs";
import { args, serve } from "./kit.mjs";

const note = (how) => (params) => {
  if (args.file) appendFileSync(args.file, `${JSON.stringify({ how, params })}\n`);
  return { sessionId: "reported" };
};

serve({
  "session/new": note("new"),
  "session/load": note("load"),
  prompt({ say }) {
    say("noted");
    return "end_turn";
  },
});
