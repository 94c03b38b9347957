// Writes text until it is cancelled, keeps writing, answers `cancelled`, and writes some more.
import { setImmediate, setTimeout } from "node:timers/promises";
import { serve } from "./kit.mjs";

serve({
  async prompt({ say, cancelled }) {
    for (let n = 0; !cancelled.aborted; n++) {
      say(`before ${n} `);
      await setTimeout(10, undefined, { signal: cancelled }).catch(() => {});
    }
    for (let n = 0; n < 3; n++) say(`late ${n} `);
    void (async () => {
      await setImmediate();
      for (let n = 0; n < 3; n++) say(`too late ${n} `);
    })();
    return "cancelled";
  },
});
