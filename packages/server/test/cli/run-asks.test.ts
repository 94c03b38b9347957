import { describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { anApproval, aQuestion, done, turnId, turnOf } from "./fixtures.ts";
import type { Started, StartOptions } from "./run-cli.ts";
import { pressUntil, suite } from "./suite.ts";

const t = suite();

const run = (args: string[], options: Partial<StartOptions> = {}): Started =>
  t.drover(["run", "demo", ...args], options);

/** The agent asks, and the server lists it as open. */
function ask(interaction = anApproval()): void {
  t.server.interactions = [interaction];
  const type = interaction.kind === "approval" ? "approval_required" : "question_prompt";
  t.server.append({ ...interaction, type });
}

/** A call with two ways to approve it and one to deny it. */
function aChoice() {
  const options = [{ label: "Here" }, { label: "There" }, { label: "No", refuses: true }];
  const question = { id: "choice", question: "Deploy", options, multiSelect: false, closed: true };
  return aQuestion({ toolName: "run", input: { command: "deploy now" }, questions: [question] });
}

describe("run, when the agent asks", () => {
  test("without a terminal prints the answering command on one line and waits", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    await cli.says("drover permit allow int_01hv0000000000000000000001");
    const line = cli
      .stderr()
      .split("\n")
      .find((text) => text.includes("permit allow"));
    expect(line).toContain("brave-otter asks: npm test");
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("prints the answering command of a question with an example and the options", async () => {
    const cli = run(["x"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(aQuestion());
    await cli.says("drover answer int_01hv0000000000000000000002 q1=Red (q1: Red | Dark blue)");
    t.server.append(done());
    await cli.ended;
  });

  test("--no-wait ends with exit 4 instead of waiting", async () => {
    const cli = run(["x", "--no-wait"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    expect(await cli.ended).toBe(4);
    expect(cli.stderr()).toContain("drover permit allow");
  });

  test("--yes approves this turn's requests once and answers no questions", async () => {
    const cli = run(["x", "--yes", "--no-wait"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    const approved = await t.server.wasAsked("POST", /approve$/);
    expect(approved.body).toEqual({ toolCallId: anApproval().id, scope: "once", inputHash: "abc" });
    await cli.says("auto-approved: npm test\n");
    ask(aQuestion());
    expect(await cli.ended).toBe(4);
    expect(cli.stderr()).toContain("drover answer");
  });

  test("N5 --yes gives no approval that the agent would remember", async () => {
    const cli = run(["x", "--yes", "--no-wait"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(anApproval({ offers: { approve: { label: "Always", remembered: true } } }));
    expect(await cli.ended).toBe(4);
    expect(cli.stderr()).toContain("Always — the agent will remember this answer");
    expect(t.server.asked.some(({ path }) => path.endsWith("/approve"))).toBe(false);
  });

  test("N5 --yes makes no choice among several ways to say yes", async () => {
    const cli = run(["x", "--yes", "--no-wait"]);
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(aChoice());
    expect(await cli.ended).toBe(4);
    expect(cli.stderr()).toContain("choice=Here (choice: Here | There | No)");
    expect(t.server.asked.some(({ path }) => path.endsWith("/submit-answers"))).toBe(false);
  });

  test("N5 on a terminal says before an approval that the agent would remember it", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(anApproval({ offers: { approve: { label: "Always", remembered: true } } }));
    await cli.says("y allow once");
    expect(cli.stderr()).toMatch(/approve +│ Always — the agent will remember this answer/);
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("N5 on a terminal a choice shows its call and takes a number, but no text", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(aChoice());
    await cli.says("a number to choose · d decide later");
    expect(cli.stderr()).toContain("deploy now");
    await pressUntil(cli, "2", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    expect((await t.server.wasAsked("POST", /submit-answers$/)).body).toMatchObject({
      answers: { choice: "There" },
    });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("on a terminal takes y, s or n as single keys", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    await cli.says("y allow once · s allow npm test for this session · n deny");
    expect(cli.isRaw).toBe(true);
    await pressUntil(cli, "s", () => t.server.asked.some(({ path }) => path.endsWith("/approve")));
    expect((await t.server.wasAsked("POST", /approve$/)).body).toMatchObject({ scope: "session" });
    await until(() => !cli.isRaw, { what: "the terminal is as it was" });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("on a terminal denies with the reason that is typed", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    await pressUntil(cli, "n", () => cli.stderr().includes("Why?"));
    // Delete surplus key presses first.
    cli.type(`${"\u007f".repeat(99)}use\u007f\u007fse the test db\r`);
    expect((await t.server.wasAsked("POST", /deny$/)).body).toEqual({
      toolCallId: anApproval().id,
      reason: "use the test db",
    });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("on a terminal lets a question's answer be chosen by number", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask(aQuestion());
    await cli.says(/2 +│ Dark blue/);
    await pressUntil(cli, "2", () => t.server.asked.some(({ path }) => path.endsWith("/submit-answers")));
    expect((await t.server.wasAsked("POST", /submit-answers$/)).body).toMatchObject({
      answers: { q1: "Dark blue" },
    });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });

  test("on a terminal stops asking when someone else has answered", async () => {
    const cli = run(["x"], { terminal: true });
    await t.streaming();
    t.server.append(...turnOf("a"));
    ask();
    await cli.says("y allow once");
    const { id: interactionId, toolCallId } = anApproval();
    const resolved = { interactionId, toolCallId, kind: "approval", resolution: "denied", by: "web:page" };
    t.server.append({ type: "interaction_resolved", turnId, ...resolved });
    await cli.says("denied by the web page");
    await until(() => !cli.isRaw, { what: "the terminal is as it was" });
    t.server.append(done());
    expect(await cli.ended).toBe(0);
  });
});
