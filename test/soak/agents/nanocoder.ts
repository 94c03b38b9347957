// Nanocoder.
import { join } from "node:path";
import { madeUpKey, writeSetting } from "../../conformance/homes/home.ts";
import { linked, type SoakAgent } from "./agent.ts";

export const nanocoder: SoakAgent = {
  name: "nanocoder",
  program: linked("nanocoder"),
  home: async ({ home, baseUrl }) => {
    const provider = {
      ...{ name: "scripted", models: ["scripted"], sdkProvider: "anthropic" },
      ...{ baseUrl: `${baseUrl}/v1`, apiKey: madeUpKey },
    };
    const settings = { nanocoder: { providers: [provider] } };
    const directory = join(home, ".config", "nanocoder");
    await writeSetting(join(directory, "agents.config.json"), JSON.stringify(settings));
    return { env: {} };
  },
};
