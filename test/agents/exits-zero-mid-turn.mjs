// Writes something and exits with 0, with the prompt unanswered.
import { serve } from "./kit.mjs";

serve({
  prompt({ say }) {
    for (let n = 0; n < 5; n++) say(`word ${n} `);
    process.exit(0);
  },
});
