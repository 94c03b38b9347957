import { type PlanEntry, RequestError } from "@agentclientprotocol/sdk";
import { reachLimit } from "./limits.ts";
import { askQuestion } from "./question.ts";
import type { Instruction } from "./script.ts";
import { editTool, readTool, runTool, type ToolContext, writeTool } from "./tools.ts";
import { tour } from "./tour.ts";
import type { Turn } from "./turn.ts";

export interface PerformContext extends ToolContext {
  /** Whether the client can put a question to a person. */
  readonly canAsk: boolean;
}

/**
 * Performs one instruction. Rejects with a RequestError to end the turn with that error, or when the turn is cancelled.
 */
export async function perform(instruction: Instruction, context: PerformContext): Promise<void> {
  const { turn, canAsk } = context;
  switch (instruction.do) {
    case "tour":
      return takeTour(context);
    case "say":
      return sayLines(instruction.text, turn);
    case "stream":
      return streamWords(instruction.words, turn);
    case "slow":
      turn.paceMs = instruction.ms;
      return;
    case "read":
      return readTool(instruction.path, context);
    case "write":
      return writeTool(instruction.path, instruction.text, context);
    case "edit":
      return editTool(instruction, context);
    case "run":
      return runTool(instruction.command, context);
    case "signal":
      return writeTool(".drover/output/signal.json", instruction.content, context);
    case "propose": {
      const { path, text } = proposalFile(instruction);
      return writeTool(path, text, context);
    }
    case "ask": {
      const { question, options } = instruction;
      const outcome = canAsk
        ? await askQuestion(question, options, turn)
        : `This client cannot answer questions: ${question}`;
      return turn.say(`${outcome}\n`);
    }
    case "todo":
      for (let current = -1; current <= instruction.tasks.length; current++) {
        await showPlan(instruction.tasks, current, turn);
      }
      return;
    case "plan":
      return showPlan(instruction.tasks, instruction.current, turn);
    case "think":
      return turn.think(`${instruction.text}\n`);
    case "fail":
      throw new RequestError(-32603, instruction.message, { errorKind: "model_error" });
    case "limit":
      return reachLimit(instruction.seconds, turn.sessionId);
    case "crash":
      process.exit(instruction.code);
      break;
    case "hang":
      return untilCancelled(turn.signal);
  }
}

/** As a worker's prompt describes it. */
function proposalFile({ kind, title }: { readonly kind: string; readonly title: string }) {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return {
    path: `.drover/output/${kind}s/${name.slice(0, 60) || kind}.md`,
    text: `---\ntitle: ${JSON.stringify(title)}\n---\n\nProposed by the demo agent.\n`,
  };
}

/** The tour has its own pace, which ends with it. */
async function takeTour(context: PerformContext): Promise<void> {
  const { paceMs } = context.turn;
  for (const step of tour) await perform(step, context);
  context.turn.paceMs = paceMs;
}

async function sayLines(text: string, turn: Turn): Promise<void> {
  for (const line of text.split("\n")) await turn.say(`${line}\n`);
}

/** "word1 word2 … wordN" and a newline, in exactly N updates: a check can compare all of it. */
async function streamWords(count: number, turn: Turn): Promise<void> {
  for (let word = 1; word <= count; word++) await turn.say(`word${word}${word === count ? "\n" : " "}`);
}

/** The plan with the tasks before `current` done, that one in progress and the others pending. */
async function showPlan(tasks: readonly string[], current: number, turn: Turn): Promise<void> {
  const entries = tasks.map(
    (content, index): PlanEntry => ({
      content,
      priority: "medium",
      status: index < current ? "completed" : index === current ? "in_progress" : "pending",
    }),
  );
  await turn.send({ sessionUpdate: "plan", entries });
}

function untilCancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
}
