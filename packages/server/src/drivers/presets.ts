import type { Preset } from "@drover/core";
import { ownProgram } from "./own-program.ts";

/**
 * Agents Drover knows without configuration. `programs` is the directory that holds `agents/`: the sources in a
 * checkout, the bundle in a published package.
 */
export function shippedPresets(programs: string): Preset[] {
  const args = ownProgram(programs, "agents/demo/main");
  return [
    { agent: "demo", name: "Demo", driver: "acp", command: process.execPath, args, env: {}, passEnv: [] },
    {
      agent: "claude",
      name: "Claude Code",
      driver: "claude",
      command: "claude",
      args: [],
      env: {},
      passEnv: ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "CLAUDE_CODE_OAUTH_TOKEN"],
      package: { name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325" },
    },
  ];
}
