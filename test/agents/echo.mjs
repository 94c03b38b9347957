// Says the sha256 and the length in bytes of the prompt, then the prompt itself. `--forgets`: it loads no conversation.
// `--loses`: it loads conversations, and knows none.
import { createHash } from "node:crypto";
import { args, send, serve } from "./kit.mjs";

const unknown = { code: -32002, message: "Resource not found" };

serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: !args.forgets } }),
  ...(args.loses ? { "session/load": (_params, id) => void send({ id, error: unknown }) } : {}),
  prompt({ text, say }) {
    say(`${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}\n`);
    say(text);
    return "end_turn";
  },
});
