// The command lines that can be recorded: how to run each, and what it needs to talk to a scripted model.
import { anthropic } from "../models/anthropic.ts";
import { gemini } from "../models/gemini.ts";
import type { Dialect } from "../models/model.ts";
import { openaiResponses } from "../models/openai-responses.ts";
import type { Failure, ToolCall } from "../models/script.ts";
import { claudeHome } from "./homes/claude.ts";
import { codexHome } from "./homes/codex.ts";
import { geminiHome } from "./homes/gemini.ts";
import type { AgentHome, HomeRequest } from "./homes/home.ts";
import { opencodeHome } from "./homes/opencode.ts";
import type { ProgramName } from "./programs.ts";

export interface TurnRequest {
  /** Deny everything that would need an approval. */
  isCareful: boolean;
  /** The conversation to resume. */
  conversation?: string;
}

/** A program that reads one prompt from standard input, writes JSON lines and exits. */
export interface CommandLine {
  program: ProgramName;
  dialect: Dialect;
  home(request: HomeRequest): Promise<AgentHome>;
  args(request: TurnRequest): string[];
  /** Additional environment of a careful turn. */
  carefulEnv?: Record<string, string>;
  /** The call that a careful turn denies, if its shell tool is not even offered. */
  deniedCall?: ToolCall;
  /** Where lines have the conversation's id. */
  conversationKey: string;
  /** A well-formed conversation id that does not exist. */
  unknownConversation: string;
  usageLimit: Failure;
}

const unknownUuid = "00000000-0000-4000-8000-000000000000";

export const commandLines: Record<string, CommandLine> = {
  codex: {
    program: "codex",
    dialect: openaiResponses,
    home: codexHome,
    args: ({ isCareful, conversation }) => [
      ...["exec", "--json", "--skip-git-repo-check"],
      ...["--disable", "unbounded_connection_retries"],
      ...["-s", isCareful ? "read-only" : "workspace-write"],
      ...(conversation === undefined ? [] : ["resume", conversation]),
      "-",
    ],
    conversationKey: "thread_id",
    unknownConversation: unknownUuid,
    usageLimit: {
      status: 429,
      message: "The usage limit has been reached",
      type: "usage_limit_reached",
      fields: { plan_type: "plus", resets_in_seconds: 3600 },
    },
  },
  gemini: {
    program: "gemini",
    dialect: gemini,
    home: geminiHome,
    args: ({ isCareful, conversation }) => [
      ...["-m", "gemini-2.5-pro", "-o", "stream-json", "--skip-trust"],
      ...["--approval-mode", isCareful ? "default" : "yolo"],
      ...(conversation === undefined ? [] : ["--resume", conversation]),
    ],
    deniedCall: { name: "run_shell_command", input: { command: "echo x > notes" } },
    conversationKey: "session_id",
    unknownConversation: unknownUuid,
    usageLimit: {
      status: 429,
      message: "You exceeded your current quota.",
      type: "GenerateRequestsPerDayPerProjectPerModel-FreeTier",
    },
  },
  opencode: {
    program: "opencode",
    dialect: anthropic,
    home: opencodeHome,
    args: ({ conversation }) => [
      ...["run", "--format", "json", "--thinking"],
      ...(conversation === undefined ? [] : ["-s", conversation]),
    ],
    carefulEnv: { OPENCODE_PERMISSION: JSON.stringify({ bash: "ask", edit: "ask" }) },
    conversationKey: "sessionID",
    unknownConversation: "ses_000000000000unknownunknown",
    usageLimit: {
      status: 400,
      message: "Your credit balance is too low to access the Anthropic API.",
    },
  },
  "claude-print": {
    program: "claude",
    dialect: anthropic,
    home: claudeHome,
    args: ({ isCareful, conversation }) => [
      ...["-p", "--output-format", "stream-json", "--verbose", "--include-partial-messages"],
      ...(isCareful ? [] : ["--allowedTools", "Bash,Write,Edit"]),
      ...(conversation === undefined ? [] : ["--resume", conversation]),
    ],
    conversationKey: "session_id",
    unknownConversation: unknownUuid,
    usageLimit: {
      status: 429,
      message: "This request would exceed your account's rate limit.",
      headers: {
        "anthropic-ratelimit-unified-status": "rejected",
        "anthropic-ratelimit-unified-representative-claim": "five_hour",
        "anthropic-ratelimit-unified-reset": "1900000000",
      },
    },
  },
};
