import { join } from "node:path";
import { type AgentHome, type HomeRequest, madeUpKey, ownTemporary, writeSetting } from "./home.ts";

const settings = {
  privacy: { usageStatisticsEnabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
};

export async function qwenHome({ home, baseUrl }: HomeRequest): Promise<AgentHome> {
  await writeSetting(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
  return {
    env: {
      ...(await ownTemporary(home)),
      OPENAI_API_KEY: madeUpKey,
      OPENAI_BASE_URL: `${baseUrl}/v1`,
      OPENAI_MODEL: "scripted",
    },
  };
}
