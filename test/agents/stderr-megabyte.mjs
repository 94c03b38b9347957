// Writes a megabyte to stderr, ending with "end of stderr", before it does anything else.
import { serve, writeError } from "./kit.mjs";

const line = `${"e".repeat(999)}\n`;
for (let n = 0; n < 1000; n++) writeError(line);
writeError("end of stderr\n");

serve({
  prompt({ say }) {
    say("I feel better now.");
    return "end_turn";
  },
});
