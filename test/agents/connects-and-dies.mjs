// Answers `initialize` and exits.
import { serve } from "./kit.mjs";

serve({
  initialize() {
    setImmediate(() => {
      console.error("connects-and-dies: goodbye");
      process.exit(1);
    });
    return { protocolVersion: 1, agentCapabilities: { loadSession: true } };
  },
});
