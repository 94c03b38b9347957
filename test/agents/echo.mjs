// Says the sha256 and the length in bytes of the prompt, then the prompt itself. `--forgets`: it loads no conversation.
// `--loses CODE`: it says that it loads conversations, and fails to.
import { createHash } from "node:crypto";
import { args, send, serve } from "./kit.mjs";

const failed = { code: Number(args.loses), message: "Gone" };

serve({
  initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: !args.forgets } }),
  ...(args.loses ? { "session/load": (_params, id) => void send({ id, error: failed }) } : {}),
  prompt({ text, say }) {
    say(`${createHash("sha256").update(text).digest("hex")} ${Buffer.byteLength(text)}\n`);
    say(text);
    return "end_turn";
  },
});
