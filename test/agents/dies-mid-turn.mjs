// Writes something and is killed in the middle of the turn.
import { serve } from "./kit.mjs";

serve({
  prompt({ say }) {
    for (let n = 0; n < 5; n++) say(`word ${n} `);
    process.kill(process.pid, "SIGKILL");
  },
});
