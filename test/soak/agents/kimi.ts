// Kimi Code. Its model is set in its environment; its home is empty.
import { madeUpKey } from "../../conformance/homes/home.ts";
import { linked, type SoakAgent } from "./agent.ts";

export const kimi: SoakAgent = {
  name: "kimi",
  program: linked("kimi"),
  home: async ({ baseUrl }) => ({
    env: {
      KIMI_MODEL_NAME: "scripted",
      KIMI_MODEL_PROVIDER_TYPE: "anthropic",
      KIMI_MODEL_API_KEY: madeUpKey,
      KIMI_MODEL_BASE_URL: baseUrl,
      KIMI_CODE_NO_AUTO_UPDATE: "1",
    },
  }),
};
