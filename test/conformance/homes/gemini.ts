import { join } from "node:path";
import { type AgentHome, type HomeRequest, madeUpKey, ownTemporary, writeSetting } from "./home.ts";

const settings = (tries: object) => ({
  security: { auth: { selectedType: "gemini-api-key" } },
  privacy: { usageStatisticsEnabled: false },
  general: {
    enableAutoUpdate: false,
    enableAutoUpdateNotification: false,
    ...tries,
  },
});

export async function geminiHome({ home, baseUrl, keepsTrying }: HomeRequest): Promise<AgentHome> {
  // Otherwise it silently retries a failing model for minutes.
  const tries = keepsTrying ? {} : { maxAttempts: 1 };
  await writeSetting(join(home, ".gemini", "settings.json"), JSON.stringify(settings(tries)));
  return {
    env: {
      ...(await ownTemporary(home)),
      GEMINI_API_KEY: madeUpKey,
      GOOGLE_GEMINI_BASE_URL: baseUrl,
      // Otherwise it restarts itself with more memory, and a signal reaches the wrong one of the two processes.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
  };
}
