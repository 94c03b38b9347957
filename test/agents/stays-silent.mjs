// Takes a prompt and never says anything about it, not even when it is cancelled.
import { serve } from "./kit.mjs";

serve({ prompt: () => undefined });
