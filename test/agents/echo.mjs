// Says the sha256 and the length in bytes of the prompt, then the prompt itself. `--forgets`: it loads no conversation.
import { createHash } from "node:crypto";
import { args, serve } from "./kit.mjs";

serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: !args.forgets } }),
  prompt({ text, say }) {
    say(`${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}\n`);
    say(text);
    return "end_turn";
  },
});
