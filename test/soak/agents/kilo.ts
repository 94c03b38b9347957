// Kilo Code.
import { join } from "node:path";
import { madeUpKey, writeSetting } from "../../conformance/homes/home.ts";
import type { SoakAgent } from "./agent.ts";

export const kilo: SoakAgent = {
  name: "kilo",
  program: (installed) => join(installed, "node_modules", "@kilocode", "cli-linux-x64", "bin", "kilo"),
  home: async ({ home, baseUrl }) => {
    await writeSetting(join(home, ".config", "kilo", "kilo.json"), JSON.stringify(settings(baseUrl)));
    return {
      env: {
        KILO_DISABLE_AUTOUPDATE: "1",
        KILO_DISABLE_MODELS_FETCH: "1",
        KILO_DISABLE_DEFAULT_PLUGINS: "1",
      },
    };
  },
};

const settings = (baseUrl: string) => ({
  model: "scripted/scripted",
  small_model: "scripted/scripted",
  provider: {
    scripted: {
      npm: "@ai-sdk/anthropic",
      name: "scripted",
      options: { baseURL: `${baseUrl}/v1`, apiKey: madeUpKey },
      models: { scripted: { name: "scripted", tool_call: true } },
    },
  },
});
