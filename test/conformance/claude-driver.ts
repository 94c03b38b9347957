// What the Claude Code driver must do with the real program, without an engine.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type AgentFact, maxPromptBytes } from "@drover/core";
import { until } from "../kit/until.ts";
import { scriptedPrompt } from "../models/script.ts";
import type { Check } from "./checks.ts";
import { claudeFailureChecks } from "./claude-failures.ts";
import type { Scene } from "./claude-scene.ts";
import { claudeSurvivalChecks } from "./claude-survival.ts";
import {
  answeredTurn,
  checker,
  command,
  conversationOf,
  ended,
  nextRequest,
  plainTurn,
  systemOf,
  toolResults,
  writing,
} from "./claude-turn.ts";

export function claudeDriverChecks(installed: string): Check[] {
  const check = checker(installed);
  const turns = [
    check("claude driver: an approved command runs once, and the process ends with the turn", approve),
    check("A1 claude driver: a denied command does not run, and the model gets the reason", deny),
    check("A15 claude driver: the amended command runs instead of the original", amend),
    check("A13 claude driver: questions with options and multi-select are answered", answerQuestions),
    check("A14 claude driver: a turn can be cancelled while a command runs and while the agent asks", cancel),
    check("C10 claude driver: a resumed turn has the context from its own start", refresh),
    check("claude driver: without its conversation id, the agent starts a new conversation", forget),
    check("S10 claude driver: two concurrent sub-agents keep their texts and calls apart", delegate),
    check("P1 claude driver: prompts of 200 KB and 768 KB arrive complete", promptAtLength),
    check("claude driver: a process stays for its background work, and ends once that is done", workOn),
    check("claude driver: a project's hooks run only if the project is trusted", trust),
  ];
  return [...turns, ...claudeSurvivalChecks(installed), ...claudeFailureChecks(installed)];
}

async function approve(scene: Scene): Promise<void> {
  const { ask, end, exit, journal } = await answeredTurn(scene, writing, { type: "approved" });
  assert.ok(ask.type === "approval_request");
  assert.deepEqual([ask.toolKind, ask.title], ["execute", command]);
  assert.equal(end.reason, "end_turn");
  assert.equal(end.usage?.outputTokens, 40);
  assert.ok((end.usage?.costUsd ?? 0) > 0);
  // It exits with 143 on its own, which its parent can't distinguish from the signal.
  assert.equal(exit.signal, "SIGTERM");
  assert.equal(await scene.notes(), "x\n");
  assert.equal(await journal.text(), "I write it down.Done.");
  const facts = await journal.facts();
  const input = facts.flatMap((fact) => (fact.type === "tool_input" ? fact.inputText : [])).join("");
  assert.equal(JSON.parse(input).command, command);
  assert.deepEqual(scene.model.refused, []);
}

async function deny(scene: Scene): Promise<void> {
  const message = "User denied tool execution: not today";
  const { end, journal } = await answeredTurn(scene, writing, { type: "denied", message });
  assert.equal(end.reason, "end_turn");
  assert.equal(await scene.notes(), undefined);
  assert.equal((await journal.fact("tool_result")).status, "denied");
  assert.match(toolResults(scene.model).join(), /User denied tool execution: not today/);
}

async function amend(scene: Scene): Promise<void> {
  const input = { command: "echo amended | tee notes", description: "Amended" };
  const { journal } = await answeredTurn(scene, writing, { type: "approved", input });
  assert.equal(await scene.notes(), "amended\n");
  assert.match(toolResults(scene.model).join(), /amended/);
  assert.deepEqual((await journal.fact("tool_ready")).input, input);
}

async function answerQuestions(scene: Scene): Promise<void> {
  const option = (label: string) => ({ label, description: `Choose ${label}` });
  const questions = [
    { question: "Which one?", header: "One", options: [option("A"), option("B")], multiSelect: false },
    { question: "Which ones?", header: "Many", options: [option("X"), option("Y")], multiSelect: true },
  ];
  const prompt = scriptedPrompt(
    { call: { name: "AskUserQuestion", input: { questions } } },
    { say: "Thanks." },
  );
  const answers = { q1: "B", q2: ["X", "Y"] };
  const { ask, end } = await answeredTurn(scene, prompt, { type: "answered", answers });
  assert.ok(ask.type === "question_request");
  assert.deepEqual(
    ask.questions.map(({ id, question, multiSelect }) => [id, question, multiSelect]),
    [
      ["q1", "Which one?", false],
      ["q2", "Which ones?", true],
    ],
  );
  assert.equal(end.reason, "end_turn");
  assert.match(toolResults(scene.model).join(), /Which one\?[^,]*B.*X, Y/);
}

async function cancel(scene: Scene): Promise<void> {
  const journal = scene.journal();
  const connection = await scene.open(journal);
  const endless = scriptedPrompt({ run: "touch notes; tail -f /dev/null" }, { say: "Never said." });
  await connection.prompt("trn_one", endless);
  await connection.answer((await nextRequest(journal)).requestKey, { type: "approved" });
  await until(async () => (await scene.notes()) !== undefined, { deadline: 60_000 });
  await connection.cancel("trn_one");
  assert.equal((await ended(connection, journal)).end.reason, "cancelled");

  const { end } = await answeredTurn(scene, writing, { type: "cancelled" });
  assert.equal(end.reason, "cancelled");
  const replies = scene.model.requests.map(({ step }) => step?.say);
  assert.ok(!replies.includes("Never said.") && !replies.includes("Done."));
}

async function refresh(scene: Scene): Promise<void> {
  const first = scriptedPrompt({ say: "First." });
  const { connection } = await plainTurn(scene, first, { system: "Working tree: clean" });
  const second = scriptedPrompt({ say: "Second." });
  const { end } = await plainTurn(scene, second, {
    system: "Working tree: dirty (1 modified)",
    ...conversationOf(connection),
  });
  assert.match(systemOf(scene.model, "First."), /Working tree: clean/);
  assert.match(systemOf(scene.model, "Second."), /Working tree: dirty/);
  assert.doesNotMatch(systemOf(scene.model, "Second."), /Working tree: clean/);
  assert.match(JSON.stringify(scene.model.requests.at(-1)?.body["messages"]), /First\./);
  assert.equal(end.usage?.outputTokens, 20, "usage is that of the turn, not of all turns");
}

async function forget(scene: Scene): Promise<void> {
  const { connection } = await plainTurn(scene, scriptedPrompt({ say: "First." }));
  const cleared = await plainTurn(scene, "/clear", conversationOf(connection));
  assert.equal((await cleared.journal.fact("notice")).code, "FORGOTTEN");
  await plainTurn(scene, scriptedPrompt({ say: "Second." }), conversationOf(cleared.connection));
  assert.doesNotMatch(JSON.stringify(scene.model.requests.at(-1)?.body["messages"]), /First\./);
}

async function delegate(scene: Scene): Promise<void> {
  const names = ["Fox", "Owl"];
  const steps = (name: string) => [
    { say: `${name} begins.`, run: `printf ${name}` },
    { say: `${name} ends.` },
  ];
  const calls = names.map((description) => {
    const prompt = scriptedPrompt(...steps(description));
    const input = { description, prompt, subagent_type: "general-purpose", run_in_background: false };
    return { name: "Agent", input };
  });
  const { end, journal } = await plainTurn(scene, scriptedPrompt({ calls }, { say: "Both are done." }));
  assert.equal(end.reason, "end_turn");
  const facts = await journal.facts();
  const titles = new Map(
    facts.flatMap((fact) => (fact.type === "tool_ready" ? [[fact.toolCallId, fact.title]] : [])),
  );
  const under = (name: string, read: (fact: AgentFact) => string | undefined) =>
    facts.flatMap((fact) =>
      "parent" in fact && titles.get(fact.parent ?? "") === name ? (read(fact) ?? []) : [],
    );
  for (const name of names) {
    const words = under(name, (fact) => (fact.type === "text" ? fact.text : undefined));
    assert.equal(words.join(" "), `${name} begins. ${name} ends.`);
    const own = under(name, (fact) => (fact.type === "tool_start" ? titles.get(fact.toolCallId) : undefined));
    assert.deepEqual(own, [`printf ${name}`]);
  }
  assert.equal(facts.filter((fact) => fact.type === "tool_result").length, 4);
}

async function promptAtLength(scene: Scene): Promise<void> {
  for (const bytes of [200_000, maxPromptBytes]) {
    const script = `\n${scriptedPrompt({ say: `${bytes} bytes.` })}`;
    const sheep = "🐑 ".repeat((bytes - Buffer.byteLength(script)) / 5);
    const prompt = sheep + ".".repeat(bytes - Buffer.byteLength(sheep + script)) + script;
    assert.equal(Buffer.byteLength(prompt), bytes);
    const { journal } = await plainTurn(scene, prompt);
    assert.equal(await journal.text(), `${bytes} bytes.`);
    const request = scene.model.requests.findLast(({ step }) => step?.say === `${bytes} bytes.`);
    const messages = JSON.stringify(request?.body["messages"]);
    assert.ok(messages.includes(JSON.stringify(prompt).slice(1, -1)), "every character arrives");
  }
}

async function workOn(scene: Scene): Promise<void> {
  const journal = scene.journal();
  const connection = await scene.open(journal);
  const wait = "touch notes; until [ -e go ]; do timeout 0.1 tail -f /dev/null; done";
  const input = { command: wait, run_in_background: true, description: "Waits" };
  const prompt = scriptedPrompt(
    { call: { name: "Bash", input } },
    { say: "It runs." },
    { say: "It is done." },
  );
  await connection.prompt("trn_one", prompt);
  await connection.answer((await nextRequest(journal)).requestKey, { type: "approved" });
  assert.equal((await journal.fact("turn_end")).reason, "end_turn");
  assert.equal(connection.isOver, false);
  await writeFile(join(scene.stage.cwd, "go"), "");
  await connection.ended;
  assert.equal(await journal.text(), "It runs.It is done.");
  const ends = (await journal.facts()).filter(({ type }) => type === "turn_end");
  assert.equal(ends.length, 1);
}

async function trust(scene: Scene): Promise<void> {
  const { cwd, home } = scene.stage;
  const witness = join(home, "hooked");
  const hook = { hooks: [{ type: "command", command: `touch ${witness}` }] };
  await mkdir(join(cwd, ".claude"));
  await writeFile(
    join(cwd, ".claude", "settings.json"),
    JSON.stringify({ hooks: { UserPromptSubmit: [hook] } }),
  );
  const isHooked = () =>
    readFile(witness).then(
      () => true,
      () => false,
    );
  await plainTurn(scene, scriptedPrompt({ say: "Untrusted." }));
  assert.equal(await isHooked(), false);
  await plainTurn(scene, scriptedPrompt({ say: "Trusted." }), { trusted: true });
  assert.equal(await isHooked(), true);
}
