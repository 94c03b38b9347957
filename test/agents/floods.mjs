// Sends `--count` updates (default 100000), each a line of about `--bytes` (default 350), as fast as the reader allows.
import { setImmediate } from "node:timers/promises";
import { args, chunk, encode, serve, write } from "./kit.mjs";

const count = Number(args.count ?? 100_000);
const bytes = Number(args.bytes ?? 350);
const BATCH = 500;

serve({
  async prompt({ sessionId, cancelled }) {
    const frame = Buffer.byteLength(encode(chunk(sessionId, "")));
    for (let at = 0; at < count; at += BATCH) {
      // A cancel can be read between two batches.
      await setImmediate();
      if (cancelled.aborted) return "cancelled";
      let lines = "";
      for (let n = at; n < Math.min(at + BATCH, count); n++) {
        lines += encode(chunk(sessionId, `${n} `.padEnd(bytes - frame, "x")));
      }
      write(lines);
    }
    return "end_turn";
  },
});
