// The third-party agents that Drover must work with. Drover knows them only through these drover.yaml entries.
import { join } from "node:path";
import { anthropic } from "../models/anthropic.ts";
import type { Dialect } from "../models/model.ts";
import { openaiResponses } from "../models/openai-responses.ts";

/** Its entry `agents.NAME` in drover.yaml. */
export interface AgentEntry {
  driver: "acp";
  systemVia?: "meta";
  command: string;
  args: string[];
  env: Record<string, string>;
  trust?: object;
}

export interface ConformanceAgent {
  name: string;
  /** The model interface it speaks. */
  dialect: Dialect;
  /** How a turn ends after a denied command: some agents let the model continue, some stop. */
  afterDenial: "end_turn" | "cancelled";
  entry(installed: string, modelUrl: string): AgentEntry;
}

const program = (installed: string, name: string) =>
  join(installed, "node_modules", "@agentclientprotocol", name, "dist", "index.js");

export const agents: readonly ConformanceAgent[] = [
  {
    name: "claude-agent-acp",
    dialect: anthropic,
    afterDenial: "end_turn",
    entry: (installed, modelUrl) => ({
      driver: "acp",
      command: process.execPath,
      args: [program(installed, "claude-agent-acp")],
      systemVia: "meta",
      trust: {
        trusted: { meta: { claudeCode: { options: { settings: { useAutoModeDuringPlan: false } } } } },
        untrusted: {
          meta: {
            claudeCode: { options: { settingSources: ["user"], settings: { useAutoModeDuringPlan: false } } },
          },
        },
      },
      env: {
        ANTHROPIC_API_KEY: "made-up",
        ANTHROPIC_BASE_URL: modelUrl,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
        CLAUDE_CODE_MAX_RETRIES: "1",
      },
    }),
  },
  {
    name: "codex-acp",
    dialect: openaiResponses,
    afterDenial: "cancelled",
    entry: (installed, modelUrl) => ({
      driver: "acp",
      command: process.execPath,
      args: [program(installed, "codex-acp")],
      env: {
        SCRIPTED_KEY: "made-up",
        NO_BROWSER: "1",
        // By default it runs commands in its sandbox without asking. In read-only mode it asks about commands that leave it.
        INITIAL_AGENT_MODE: "read-only",
        CODEX_CONFIG: JSON.stringify({
          model: "scripted",
          model_provider: "scripted",
          model_providers: {
            scripted: {
              name: "scripted",
              base_url: `${modelUrl}/v1`,
              env_key: "SCRIPTED_KEY",
              wire_api: "responses",
              request_max_retries: 0,
              stream_max_retries: 0,
            },
          },
          // Without these it tries to reach the internet at every start.
          analytics: { enabled: false },
          features: { plugins: false },
        }),
      },
    }),
  },
];
