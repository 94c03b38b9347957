import { join } from "node:path";
import { type AgentHome, type HomeRequest, madeUpKey, ownTemporary, writeSetting } from "./home.ts";

const settings = (baseUrl: string) => ({
  model: "scripted/scripted",
  small_model: "scripted/scripted",
  autoupdate: false,
  share: "disabled",
  provider: {
    scripted: {
      npm: "@ai-sdk/anthropic",
      name: "scripted",
      options: { baseURL: `${baseUrl}/v1`, apiKey: madeUpKey },
      models: { scripted: { name: "scripted", reasoning: true, tool_call: true } },
    },
  },
});

export async function opencodeHome({ home, baseUrl }: HomeRequest): Promise<AgentHome> {
  await writeSetting(join(home, ".config", "opencode", "opencode.json"), JSON.stringify(settings(baseUrl)));
  return {
    env: {
      ...(await ownTemporary(home)),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    },
  };
}
