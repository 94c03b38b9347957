// Creates a session like any other agent and never reads its input again.
import { serve, stayAlive } from "./kit.mjs";

const stopReading = (result) => {
  process.stdin.pause();
  stayAlive();
  return result;
};

serve({
  "session/new": () => stopReading({ sessionId: `kit-${process.pid}` }),
  "session/load": () => stopReading({}),
  prompt() {},
});
