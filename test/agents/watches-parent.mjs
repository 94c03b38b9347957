// Exits as soon as its parent changes, as some agents do to avoid being orphaned. Writes a word, then waits for the file
// --release to write its last one.
import { existsSync } from "node:fs";
import { args, serve } from "./kit.mjs";

const parent = process.ppid;
let finish = () => {};

setInterval(() => {
  const isReleased = existsSync(args.release);
  // Checked after the file: once the test has created the file, the current parent is known.
  if (process.ppid !== parent) process.exit(3);
  if (isReleased) finish();
}, 5);

serve({
  async prompt(turn) {
    turn.say("first ");
    await new Promise((resolve) => {
      finish = resolve;
    });
    turn.say("last");
    return "end_turn";
  },
});
