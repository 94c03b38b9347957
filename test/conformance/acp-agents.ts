// Agents that speak ACP themselves, as they are shipped. They are held to what they are told alone: the rest of the
// driver is shown by those in `agents.ts`, in a fraction of the time these take to start.
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
 * It names a conversation's file by the minute, and empties it when it is to load it in the same one (0.61.0): as if
 * these began earlier.
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
      // Left to itself it asks a model which model to ask.
      return { env: { ...env, GEMINI_MODEL: "gemini-2.5-pro" } };
    },
    beforeLoad: antedate,
  },
  {
    ...common,
    name: "opencode-acp",
    dialect: anthropic,
    home: opencodeHome,
    // It is installed without the package that would bring it.
    entry: (installed) => ({ command: programs.opencode(installed).command }),
  },
  { ...common, name: "qwen-acp", dialect: openaiChat, home: qwenHome },
];
