// Answers with one line of `--mb` megabytes (default 100), then a short one.
import { args, chunk, encode, serve, write } from "./kit.mjs";

const MEGABYTE = "x".repeat(1_000_000);

serve({
  prompt({ sessionId, say }) {
    const [head, tail] = encode(chunk(sessionId, "|")).split("|");
    write(head);
    for (let n = 0; n < Number(args.mb ?? 100); n++) write(MEGABYTE);
    write(tail);
    say("after the long line");
    return "end_turn";
  },
});
