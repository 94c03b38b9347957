// Answers each prompt at the end of its turn, and again in the middle of the next turn.
import { setTimeout } from "node:timers/promises";
import { send, serve } from "./kit.mjs";

let last;

serve({
  async prompt({ requestId, say }) {
    if (last !== undefined) send({ id: last, result: { stopReason: "end_turn" } });
    last = requestId;
    say("working ");
    // Long enough for a reader to mistake the old answer for this turn's.
    await setTimeout(300);
    say("finished");
    return "end_turn";
  },
});
