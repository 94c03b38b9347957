// Writes an answer of multi-byte text so that a read may end inside a character: cut in the middle of each emoji, or with
// `--one-byte` after every byte.
import { setTimeout } from "node:timers/promises";
import { args, chunk, encode, serve, write } from "./kit.mjs";

const TEXT = "🐑 déjà vu 日本語 👩‍🌾🐕 €";

serve({
  async prompt({ sessionId, text }) {
    const bytes = Buffer.from(encode(chunk(sessionId, text || TEXT)));
    let from = 0;
    for (let at = 1; at <= bytes.length; at++) {
      // Two bytes into a four-byte character.
      const inside = (bytes[at - 2] ?? 0) >= 0xf0;
      if (!args["one-byte"] && !inside && at < bytes.length) continue;
      write(bytes.subarray(from, at));
      from = at;
      // Long enough for a read in between.
      if (!args["one-byte"]) await setTimeout(10);
    }
    return "end_turn";
  },
});
