import { type AgentHome, type HomeRequest, madeUpKey, ownTemporary } from "./home.ts";

export async function claudeHome({ home, baseUrl, keepsTrying }: HomeRequest): Promise<AgentHome> {
  return {
    env: {
      ...(await ownTemporary(home)),
      ANTHROPIC_API_KEY: madeUpKey,
      ANTHROPIC_BASE_URL: baseUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      ...(keepsTrying ? {} : { CLAUDE_CODE_MAX_RETRIES: "1" }),
    },
  };
}
