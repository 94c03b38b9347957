// What Claude Code writes to the Agent SDK, with a person who answers: the unchanged spool of Drover's driver.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentAnswer, PermissionMode } from "@drover/core";
import { FILES } from "../../packages/server/src/process/running-agent.ts";
import { until } from "../kit/until.ts";
import { type Step, scriptedPrompt } from "../models/script.ts";
import { inScene, type Journal, type Scene as Stage } from "./claude-scene.ts";
import { conversationOf, plainTurn } from "./claude-turn.ts";
import { ownTemporary } from "./homes/home.ts";
import { makeRepository } from "./record-project.ts";
import { redactor } from "./record-redact.ts";
import { earlier } from "./record-scenes.ts";

/** The turn of every recording; its prompt's id is derived from it. */
const turnId = "trn_recorded";

export interface ClaudeScene {
  name: string;
  steps: Step[];
  /** The answers to the agent's requests, in order. */
  answers?: AgentAnswer[];
  mode?: PermissionMode;
  isResumed?: true;
  /** Cancel the turn as soon as its command runs. */
  isCancelled?: true;
}

const approved: AgentAnswer = { type: "approved" };

const option = (label: string) => ({ label, description: `Choose ${label}` });
const question = {
  ...{ question: "Which bird?", header: "Bird", multiSelect: false },
  options: [option("Robin"), option("Wren")],
};

const delegate = (name: string) => ({
  name: "Agent",
  input: {
    ...{ description: name, subagent_type: "general-purpose", run_in_background: false },
    prompt: scriptedPrompt({ say: `${name} begins.`, run: `printf ${name}` }, { say: `${name} ends.` }),
  },
});

const done: Step = { say: "Done." };
const running = "touch notes; tail -f /dev/null";

export const claudeScenes: readonly ClaudeScene[] = [
  { name: "answer", steps: [{ say: "The robin sings. Das Rotkehlchen singt 🐦." }] },
  { name: "thinking", steps: [{ think: "Which bird sings?", say: "The robin sings." }] },
  { name: "command", steps: [{ say: "I look.", run: "echo x | tee notes" }, done], answers: [approved] },
  {
    name: "edit",
    steps: [{ write: { path: "notes.txt", text: "one\ntwo" } }, done],
    answers: [approved],
  },
  {
    name: "parallel",
    steps: [{ runs: ["echo fox | tee fox", "echo owl | tee owl"] }, done],
    answers: [approved, approved],
  },
  {
    name: "failing-tool",
    steps: [{ run: "touch notes; echo oops >&2; exit 3" }, { say: "It failed." }],
    answers: [approved],
  },
  {
    name: "denied",
    steps: [{ run: "echo x > notes" }, { say: "I may not." }],
    answers: [{ type: "denied", message: "User denied tool execution: not today" }],
  },
  {
    name: "question",
    steps: [{ call: { name: "AskUserQuestion", input: { questions: [question] } } }, { say: "Thanks." }],
    answers: [{ type: "answered", answers: { q1: "Wren" } }],
  },
  {
    name: "plan",
    mode: "plan",
    steps: [{ call: { name: "ExitPlanMode", input: { plan: "# Plan\n\nFeed the sheep." } } }, done],
    answers: [approved],
  },
  { name: "sub-agents", steps: [{ calls: [delegate("Fox"), delegate("Owl")] }, { say: "Both ended." }] },
  { name: "resumed", isResumed: true, steps: [{ say: "It still sings." }] },
  { name: "cancelled", isCancelled: true, steps: [{ run: running }, done], answers: [approved] },
  { name: "auth", steps: [{ fail: { status: 401, message: "The key is not valid." } }] },
  { name: "rate-limit", steps: [{ fail: { status: 429, message: "Too many requests." } }] },
  { name: "overloaded", steps: [{ fail: { status: 529, message: "Overloaded." } }] },
  { name: "dropped-midway", steps: [{ say: "One two three four five six seven.", drop: "midway" }] },
];

/** Answers the agent's requests one after the other. */
async function answerAll(
  connection: Awaited<ReturnType<Stage["open"]>>,
  journal: Journal,
  answers: readonly AgentAnswer[],
): Promise<void> {
  for (const [index, answer] of answers.entries()) {
    const nth = async () =>
      (await journal.facts()).flatMap((fact) => ("requestKey" in fact ? [fact] : []))[index];
    const { requestKey } = await until(nth, { deadline: 60_000, what: "the agent asks" });
    await connection.answer(requestKey, answer);
  }
}

export async function recordClaude(
  scene: ClaudeScene,
  installed: string,
): Promise<{ lines: string; prompt: string }> {
  const { steps, answers = [], mode, isResumed, isCancelled } = scene;
  const prompt = scriptedPrompt(...steps);
  let lines = "";
  await inScene(installed, async (stage) => {
    const { home, cwd, modelUrl } = stage.stage;
    await makeRepository(cwd, home);
    const env = await ownTemporary(home);
    const resumed = isResumed
      ? conversationOf((await plainTurn(stage, scriptedPrompt(...earlier), { env })).connection)
      : {};
    const directory = join(home, "runs", "recorded");
    const journal = stage.journal();
    const changes = { directory, env, ...resumed, ...(mode ? { permissionMode: mode } : {}) };
    const connection = await stage.open(journal, changes);
    await connection.prompt(turnId, prompt);
    await answerAll(connection, journal, answers);
    if (isCancelled) {
      await until(async () => (await stage.notes()) !== undefined, { deadline: 60_000, what: "it runs" });
      await connection.cancel(turnId);
    }
    await journal.fact("turn_end");
    await connection.ended;
    const redact = redactor({
      directories: { [home]: "/home/user", [installed]: "/opt/agents" },
      port: new URL(modelUrl).port,
      keys: [],
    });
    lines = redact(await readFile(join(directory, FILES.output), "utf8"));
  });
  return { lines, prompt };
}
