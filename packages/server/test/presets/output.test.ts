// The presets' rules for an agent's output.
import { extractSessionId, matchesRule } from "@drover/core";
import { describe, expect, test } from "vitest";
import { commandLines, find } from "./support.ts";

describe("the conversation's id", () => {
  test.for<[string, object, string]>([
    ["claude-print", { type: "system", subtype: "init", session_id: "a-1" }, "a-1"],
    ["codex", { type: "thread.started", thread_id: "b-2" }, "b-2"],
    ["gemini", { type: "init", session_id: "c-3" }, "c-3"],
    ["opencode", { type: "step_start", sessionID: "ses_4" }, "ses_4"],
    ["qwen", { type: "system", subtype: "init", session_id: "e-5" }, "e-5"],
    ["copilot", { type: "result", sessionId: "f-6", exitCode: 0 }, "f-6"],
    ["pi", { type: "session", id: "g-7" }, "g-7"],
    ["cursor-agent", { type: "system", session_id: "h-8" }, "h-8"],
    ["amp", { type: "system", session_id: "T-9" }, "T-9"],
  ])("of %s is found in its output", ([agent, message, id]) => {
    expect(extractSessionId(find(agent), message)).toBe(id);
    expect(extractSessionId(find(agent), {})).toBeUndefined();
  });

  test("comes with a rule for conversations that the agent no longer has, if its output does not report that", () => {
    const mute = ["codex", "opencode", "qwen", "copilot", "pi"];
    expect(mute.filter((agent) => !find(agent).forgotten)).toEqual([]);
  });

  test("is known for every agent that can resume one", () => {
    const resuming = commandLines.filter(({ resume }) => resume).map(({ agent }) => agent);
    expect(resuming.filter((agent) => !find(agent).sessionId)).toEqual([]);
  });
});

describe("the rules of agents without a mapper", () => {
  const matching = (agent: string, kind: "text" | "done" | "failed" | "error", message: object): boolean => {
    const rules = find(agent)[kind] ?? [];
    return rules !== "exit" && rules.some((rule) => matchesRule(message, rule));
  };
  const event = (event: object) => ({ type: "agent_event", event });

  test.for<["text" | "done" | "failed" | "error", string, object, boolean]>([
    ["text", "copilot", { type: "assistant.message_delta", data: { deltaContent: "a" } }, true],
    ["done", "copilot", { type: "result", exitCode: 0 }, true],
    ["failed", "copilot", { type: "result", exitCode: 0 }, false],
    ["failed", "copilot", { type: "result", exitCode: 1 }, true],
    ["text", "cline", event({ type: "content_start", contentType: "text", text: "a" }), true],
    ["text", "cline", event({ type: "content_start", contentType: "reasoning", text: "a" }), false],
    ["text", "cline", event({ type: "content_end", contentType: "text", text: "a" }), false],
    ["done", "cline", { type: "run_result", finishReason: "completed" }, true],
    ["failed", "cline", { type: "run_result", finishReason: "error" }, true],
    ["text", "continue", { response: "a", status: "success" }, true],
    ["done", "continue", { response: "a", status: "success" }, true],
    ["done", "continue", { status: "success", message: "Auto-compacted successfully" }, false],
    ["failed", "continue", { status: "error", message: "as a model might answer" }, false],
    ["error", "continue", { status: "error", message: "401 No" }, true],
    ["error", "copilot", { type: "session.error", data: { message: "No", statusCode: 401 } }, true],
    ["error", "cline", event({ type: "error", error: { message: "No" }, errorClass: "auth" }), true],
    ["error", "cline", event({ type: "done", text: "a" }), false],
    ["error", "pi", { type: "turn_end", message: { stopReason: "error", errorMessage: "401 No" } }, true],
    ["error", "pi", { type: "turn_end", message: { stopReason: "stop" } }, false],
    [
      "text",
      "pi",
      { type: "message_update", assistantMessageEvent: { type: "text_delta", delta: "a" } },
      true,
    ],
    [
      "text",
      "pi",
      { type: "message_update", assistantMessageEvent: { type: "thinking_delta", delta: "a" } },
      false,
    ],
    ["done", "pi", { type: "turn_end", message: { stopReason: "stop" } }, true],
    ["done", "pi", { type: "turn_end", message: { stopReason: "toolUse" } }, false],
    ["failed", "pi", { type: "auto_retry_end", success: false }, true],
    ["failed", "pi", { type: "auto_retry_end", success: true }, false],
  ])("%s of %s: %o is %s", ([kind, agent, message, expected]) => {
    expect(matching(agent, kind, message)).toBe(expected);
  });
});
