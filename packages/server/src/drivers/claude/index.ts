import type { Capabilities } from "@drover/core";
import type { Driver } from "../../ports.ts";
import { refuseOversize } from "../preface.ts";
import { type ConversationsDeps, claudeConversations } from "./conversations.ts";
import { attach, type ClaudeDriverDeps, start } from "./opening.ts";

const capabilities: Capabilities = {
  approvals: "live",
  amend: true,
  denyReason: true,
  steer: true,
  images: true,
  resume: true,
  fork: true,
  freshContext: true,
  systemText: "system",
  reattach: true,
  heldByMode: true,
  completion: "event",
};

/**
 * Claude Code through its Agent SDK. Every turn has its own process, which resumes the agent's session: a process keeps
 * the system prompt it was started with, and an idle session needs no process.
 */
export function claudeDriver(deps: ClaudeDriverDeps & ConversationsDeps): Driver {
  return {
    name: "claude",
    lifetime: () => "turn",
    capabilities: () => capabilities,
    lacks: ({ account }) => (account ? [] : ["accounts"]),
    refusesPrompt: refuseOversize,
    open: (request, host) =>
      request.attach ? attach({ request, host, deps }, request.attach) : start({ request, host, deps }),
    conversations: claudeConversations(deps),
  };
}
