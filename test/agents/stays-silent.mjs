// Accepts a prompt and never responds, not even to a cancel.
import { serve } from "./kit.mjs";

serve({ prompt: () => undefined });
