import type { Preset } from "@drover/core";
import { ownProgram } from "./own-program.ts";
import { claudePresets } from "./presets/claude.ts";
import { codexPresets } from "./presets/codex.ts";
import { copilotPresets } from "./presets/copilot.ts";
import { cursorPresets } from "./presets/cursor.ts";
import { geminiPresets } from "./presets/gemini.ts";
import { opencodePresets } from "./presets/opencode.ts";
import { otherPresets } from "./presets/others.ts";
import { preset } from "./presets/preset.ts";
import { qwenPresets } from "./presets/qwen.ts";

/**
 * Agents Drover knows without configuration. `programs` is the directory that holds `agents/`: the sources in a
 * checkout, the bundle in a published package.
 */
export function shippedPresets(programs: string): Preset[] {
  const demo = preset({
    agent: "demo",
    name: "Demo",
    driver: "acp",
    command: process.execPath,
    args: ownProgram(programs, "agents/demo/main"),
    login: "none",
    account: { env: "DEMO_ACCOUNT" },
    systemVia: "meta",
    trust: {},
    verified: "part of Drover",
  });
  return [
    demo,
    ...claudePresets,
    ...codexPresets,
    ...geminiPresets,
    ...opencodePresets,
    ...qwenPresets,
    ...copilotPresets,
    ...cursorPresets,
    ...otherPresets,
  ];
}
