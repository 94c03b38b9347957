// Writes the sha256 and the length in bytes of the prompt, then the prompt itself. `--forgets`: it cannot load
// conversations. `--loses CODE`: it claims to load conversations, but fails with CODE.
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
