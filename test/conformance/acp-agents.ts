// Agents that speak ACP themselves, as shipped. They run only the checks of what they are prompted with. The agents in
// `agents.ts` cover the rest of the driver and start much faster.
import { glob, rename } from "node:fs/promises";
import { join } from "node:path";
import { anthropic } from "../models/anthropic.ts";
import { gemini } from "../models/gemini.ts";
import { openaiChat } from "../models/openai-chat.ts";
import { scriptedPrompt } from "../models/script.ts";
import { geminiHome } from "./homes/gemini.ts";
import type { HomeRequest } from "./homes/home.ts";
import { opencodeHome } from "./homes/opencode.ts";
import { qwenHome } from "./homes/qwen.ts";
import { programs } from "./programs.ts";
import { acpCapabilities, type Subject } from "./subjects.ts";

const common = {
  capabilities: acpCapabilities,
  afterDenial: "end_turn",
  isSlow: true,
  lacks: [],
  prompt: (steps) => scriptedPrompt(...steps),
} satisfies Partial<Subject>;

/**
 * It names a conversation's file by the minute, and empties that file if it loads it within the same minute (0.61.0).
 * Renaming the files makes the conversations look older.
 */
async function antedate(home: string): Promise<void> {
  for await (const file of glob(join(home, ".gemini", "tmp", "*", "chats", "session-*.jsonl"))) {
    await rename(file, file.replace(/session-\d{4}/, "session-2025"));
  }
}

export const acpSubjects: readonly Subject[] = [
  {
    ...common,
    name: "gemini-acp",
    dialect: gemini,
    home: async (request: HomeRequest) => {
      const { env } = await geminiHome(request);
      // By default it asks a model which model to use.
      return { env: { ...env, GEMINI_MODEL: "gemini-2.5-pro" } };
    },
    beforeLoad: antedate,
  },
  {
    ...common,
    name: "opencode-acp",
    dialect: anthropic,
    home: opencodeHome,
    // Its optional package for this is not installed.
    entry: (installed) => ({ command: programs.opencode(installed).command }),
  },
  { ...common, name: "qwen-acp", dialect: openaiChat, home: qwenHome },
];
