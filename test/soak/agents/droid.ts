// Factory's Droid.
import { join } from "node:path";
import { madeUpKey, writeSetting } from "../../conformance/homes/home.ts";
import type { SoakAgent } from "./agent.ts";

export const droid: SoakAgent = {
  name: "droid",
  program: (installed) => join(installed, "node_modules", "@factory", "cli-linux-x64", "bin", "droid"),
  home: async ({ home, baseUrl }) => {
    await writeSetting(join(home, ".factory", "settings.json"), JSON.stringify(settings(baseUrl)));
    return { env: { FACTORY_API_KEY: `fk-${madeUpKey}`, FACTORY_AIRGAP_ENABLED: "true" } };
  },
};

const settings = (baseUrl: string) => ({
  customModels: [
    {
      ...{ id: "custom:scripted", model: "scripted", displayName: "scripted", provider: "anthropic" },
      ...{ baseUrl, apiKey: madeUpKey, maxOutputTokens: 8192 },
    },
  ],
  sessionDefaultSettings: { model: "custom:scripted" },
});
