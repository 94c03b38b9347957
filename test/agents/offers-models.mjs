// Offers two models and writes which one it uses; every process starts with the small one.
import { serve } from "./kit.mjs";

let current = "small";
const models = () => ({
  models: { currentModelId: current, availableModels: [{ modelId: "small" }, { modelId: "large" }] },
});

serve({
  "session/new": () => ({ sessionId: `kit-${process.pid}`, ...models() }),
  "session/load": models,
  "session/set_model": ({ modelId }) => {
    current = modelId;
    return {};
  },
  prompt({ say }) {
    say(current);
    return "end_turn";
  },
});
