import { type AgentHome, type HomeRequest, madeUpKey } from "./home.ts";

export async function claudeHome({ baseUrl }: HomeRequest): Promise<AgentHome> {
  return {
    env: {
      ANTHROPIC_API_KEY: madeUpKey,
      ANTHROPIC_BASE_URL: baseUrl,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      // It tries a failing model ten times otherwise.
      CLAUDE_CODE_MAX_RETRIES: "1",
    },
  };
}
