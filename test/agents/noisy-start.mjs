// Prints many lines before it is ready, as package runners do, and a line of plain text in the middle of its turn.
import { serve, write } from "./kit.mjs";

const noise = () => {
  for (let line = 1; line <= 60; line++) write(`npm warn deprecated package-${line}: use another one\n`);
};

noise();
serve({
  "session/new": () => {
    noise();
    return { sessionId: `kit-${process.pid}` };
  },
  prompt({ text, say }) {
    write("a line that is no message\n");
    say(`heard: ${text}`);
    return "end_turn";
  },
});
