import { usableCommands } from "../agent-commands.ts";
import { bounds } from "../bounds.ts";
import { Fault } from "../error.ts";
import type { AgentFact } from "../facts.ts";
import { excess, maxAgentDepth } from "../size.ts";

/** Limits of one fact: far more steps and choices than a person would look at. */
const limits = {
  id: 1_000,
  // Some agents give a whole command as title.
  title: 262_144,
  result: 1024 * 1024,
  tasks: 1_000,
  options: 500,
  diffs: 1_000,
  fault: 10_000,
} as const;

/** What may be open at the same time in a session: all of it is held in memory and sent with every snapshot. */
export const openLimits = { calls: 1_000, requests: 100, size: 16 * 1024 * 1024 } as const;

/** How often an agent may change a pending request: a person must be able to read and answer it. */
export const maxRequestChanges = 100;

/** An agent sent more than a session can hold: its turn ends with this. */
export const oversized = (what: string): Fault =>
  new Fault(
    "AGENT_PROTOCOL",
    `The agent sent ${what}. Its turn and its process were ended; your next message starts it again.`,
  );

/** The fact as it can be recorded: results are shortened, anything else over the limits throws `oversized`. */
export function boundFact(fact: AgentFact): AgentFact {
  switch (fact.type) {
    case "text":
    case "thinking":
      checkId(fact.parent);
      return fact;
    case "tool_result":
      checkId(fact.toolCallId);
      checkDepth(fact.result, "a tool result");
      return excess(fact.result, { size: limits.result })
        ? { ...fact, result: shortened(fact.result) }
        : fact;
    case "tool_start":
      checkId(fact.toolCallId);
      checkId(fact.parent);
      checkText(fact.toolName, "the name of a tool", limits.id);
      checkText(fact.title, "a title", limits.title);
      return fact;
    case "tool_ready":
      checkId(fact.toolCallId);
      checkText(fact.title, "a title", limits.title);
      checkValue(fact.input, "a tool input");
      return fact;
    case "tasks":
      checkCount(fact.tasks, "steps in a plan", limits.tasks);
      break;
    case "approval_request":
      checkId(fact.toolCallId);
      checkText(fact.toolName, "the name of a tool", limits.id);
      checkText(fact.title, "a title", limits.title);
      checkText(fact.requestKey, "the id of a request", limits.id);
      checkCount(fact.diffs, "files in an approval", limits.diffs);
      checkCount(fact.choice?.options, "choices of a question", limits.options);
      break;
    case "approval_changed":
      checkId(fact.toolCallId);
      checkText(fact.title, "a title", limits.title);
      checkCount(fact.diffs, "files in an approval", limits.diffs);
      break;
    case "question_request":
      checkId(fact.toolCallId);
      checkText(fact.requestKey, "the id of a request", limits.id);
      checkText(fact.title, "a title", limits.title);
      checkCount(fact.questions, "questions", bounds.questions);
      for (const { options } of fact.questions) checkCount(options, "choices of a question", limits.options);
      break;
    case "commands":
      return { ...fact, commands: usableCommands(fact.commands) };
    case "turn_end":
      return fact.fault ? { ...fact, fault: shortFault(fact.fault) } : fact;
  }
  checkValue(fact, nouns[fact.type] ?? "a message");
  return fact;
}

/** A request as the agent sent it, which is kept until it is answered. */
export function checkRequest(raw: unknown): void {
  checkValue(raw, "a request");
}

/** An agent's own id for a conversation, which is stored with the session. */
export function checkConversationId(id: string | undefined): void {
  checkText(id, "the id of a conversation", limits.id);
}

const nouns: Partial<Record<AgentFact["type"], string>> = {
  tasks: "a plan",
  approval_request: "an approval",
  approval_changed: "an approval",
  question_request: "a question",
  tool_input: "a tool input",
};

function checkValue(value: unknown, what: string): void {
  const found = excess(value, { size: bounds.input, entries: bounds.inputEntries });
  if (found === "large") throw oversized(`${what} of more than ${bounds.input} characters`);
  if (found === "many") throw oversized(`${what} of more than ${bounds.inputEntries} entries`);
  if (found) throw tooDeep(what);
}

/** Throws `oversized` for a value that is nested deeper than any agent message may be, however small it is. */
export function checkDepth(value: unknown, what: string): void {
  if (excess(value, { size: Number.POSITIVE_INFINITY }) === "deep") throw tooDeep(what);
}

const tooDeep = (what: string) => oversized(`${what} nested deeper than ${maxAgentDepth} levels`);

function checkText(text: string | undefined, what: string, limit: number): void {
  if ((text?.length ?? 0) > limit) throw oversized(`${what} of more than ${limit} characters`);
}

const checkId = (id: string | undefined) => checkText(id, "the id of a tool call", limits.id);

function checkCount(entries: readonly unknown[] | undefined, what: string, limit: number): void {
  if ((entries?.length ?? 0) > limit) throw oversized(`more than ${limit} ${what}`);
}

const keptOfText = 65_536;
const leftOut = "left out; the raw log has all of it";

/** A result with its long texts cut; if that is not enough, a note in its place. */
function shortened(result: unknown): unknown {
  const cut = cutTexts(result);
  return excess(cut, { size: limits.result })
    ? { text: `[This result is too large to show: ${leftOut}]` }
    : cut;
}

function cutTexts(value: unknown): unknown {
  if (typeof value === "string" && value.length > keptOfText) {
    const kept = value.slice(0, keptOfText).replace(/[\ud800-\udbff]$/, "");
    return `${kept}\n[… ${value.length - kept.length} characters ${leftOut}]`;
  }
  if (Array.isArray(value)) return value.map(cutTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner)]));
}

function shortFault(fault: Fault): Fault {
  const { code, message, retry, facts } = fault;
  if (message.length <= limits.fault) return fault;
  return new Fault(code, `${message.slice(0, limits.fault)}…`, { retry, facts });
}
