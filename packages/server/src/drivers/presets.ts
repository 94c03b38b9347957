import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Preset } from "@drover/core";

/**
 * Agents Drover knows without configuration. `programs` is the directory that holds `agents/`: the sources in a
 * checkout, the bundle in a published package.
 */
export function shippedPresets(programs: string): Preset[] {
  const source = join(programs, "agents", "demo", "main.ts");
  const args = existsSync(source)
    ? ["--conditions=source", source]
    : [join(programs, "agents", "demo", "main.js")];
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
