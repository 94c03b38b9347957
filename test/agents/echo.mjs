// Says the sha256 and the length in bytes of the prompt, then the prompt itself.
import { createHash } from "node:crypto";
import { serve } from "./kit.mjs";

serve({
  prompt({ text, say }) {
    say(`${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}\n`);
    say(text);
    return "end_turn";
  },
});
