// Ends as soon as its parent is another, as some agents do to not be left behind. Says a word, then waits for the file
// --release to say its last one.
import { existsSync } from "node:fs";
import { args, serve } from "./kit.mjs";

const parent = process.ppid;
let finish = () => {};

setInterval(() => {
  const isReleased = existsSync(args.release);
  // Looked at after the file: whoever made the file knows that the parent of that time was seen.
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
