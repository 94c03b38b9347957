import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { choose, type Demo, demoWithSession, type Place, place, startDemo } from "./harness.ts";

describe("the demo agent", () => {
  let where: Place;
  let demo: Demo;
  beforeAll(async () => {
    where = await place();
    demo = await startDemo(where, { answer: () => ({ action: "accept", content: { q1: "Blue" } }) });
  });
  afterAll(async () => {
    await demo[Symbol.asyncDispose]();
    await where[Symbol.asyncDispose]();
  });

  async function prompt(...lines: string[]) {
    await demo.newSession();
    demo.updates.length = 0;
    demo.questions.length = 0;
    return demo.prompt(...lines);
  }

  it("says a line or echoes it, so that Markdown arrives unchanged", async () => {
    const response = await prompt("say Hello", "| a | b |", "|---|---|", "", "```", "    code", "```");
    expect(response.stopReason).toBe("end_turn");
    expect(demo.text).toBe("Hello\n| a | b |\n|---|---|\n\n```\n    code\n```\n");
  });

  it("streams N numbered words in N updates", async () => {
    await prompt("stream 2000");
    const words = Array.from({ length: 2000 }, (_, index) => `word${index + 1}`);
    expect(demo.chunks).toHaveLength(2000);
    expect(demo.text).toBe(`${words.join(" ")}\n`);
  });

  it("counts words as tokens and reports how full its context is", async () => {
    const response = await prompt("stream 5");
    expect(response).toMatchObject({ usage: { inputTokens: 2, outputTokens: 5, totalTokens: 7 } });
    expect(demo.updates.at(-1)).toMatchObject({ sessionUpdate: "usage_update", used: 7 });
  });

  it("pauses between updates after slow", async () => {
    const start = performance.now();
    await prompt("stream 50", "slow 40", "stream 5");
    expect(performance.now() - start).toBeGreaterThan(4 * 40);
    expect(demo.chunks).toHaveLength(55);
  });

  it("sends thoughts separately from text", async () => {
    await prompt("think Let me see");
    expect(demo.updatesOf("agent_thought_chunk").map(({ content }) => content)).toEqual([
      { type: "text", text: "Let me see\n" },
    ]);
    expect(demo.text).toBe("");
  });

  it("shows a plan whose tasks go one by one from pending through in progress to completed", async () => {
    await prompt("todo Dig, Plant");
    const steps = demo.updatesOf("plan").map(({ entries }) => entries.map(({ status }) => status));
    expect(steps).toEqual([
      ["pending", "pending"],
      ["in_progress", "pending"],
      ["completed", "in_progress"],
      ["completed", "completed"],
    ]);
    expect(demo.updatesOf("plan")[0]?.entries.map(({ content }) => content)).toEqual(["Dig", "Plant"]);
  });

  it("asks a question with its options and repeats the answer", async () => {
    await prompt("ask Which colour? | Red | Blue", "say Thanks");
    expect(demo.questions).toHaveLength(1);
    expect(demo.questions[0]).toMatchObject({
      mode: "form",
      sessionId: demo.sessionId,
      message: "Which colour?",
      requestedSchema: {
        properties: { q1: { type: "string", oneOf: [{ const: "Red" }, { const: "Blue" }] } },
        required: ["q1"],
      },
    });
    expect(demo.text).toBe("You chose: Blue\nThanks\n");
  });

  it("says that there was no answer when the question is declined", async () => {
    await using other = await demoWithSession(where, { answer: () => ({ action: "decline" }) });
    await other.prompt("ask Which? | A | B");
    expect(other.text).toBe("No answer (decline)\n");
  });

  it("says so if its client cannot be asked, and continues", async () => {
    await using mute = await demoWithSession(where, { canAsk: false });
    await mute.prompt("ask Which? | A | B", "say Next");
    expect(mute.questions).toEqual([]);
    expect(mute.text).toBe("This client cannot answer questions: Which?\nNext\n");
  });

  it("includes a tour that asks for exactly one approval and no question", async () => {
    await using guide = await demoWithSession(where, { permit: choose("allow_once") });
    expect(await guide.prompt("tour")).toMatchObject({ stopReason: "end_turn" });
    expect(guide.permissions).toHaveLength(1);
    expect(guide.questions).toEqual([]);
    expect(guide.calls).toMatchObject([
      { kind: "read", status: "completed" },
      { kind: "execute", status: "completed", rawOutput: { output: "Hello from Drover\n", exitCode: 0 } },
    ]);
    expect(guide.text).toMatch(/^# Welcome/);
    expect(guide.text).toContain("```sh\n");
    expect(
      guide
        .updatesOf("plan")
        .at(-1)
        ?.entries.map(({ status }) => status),
    ).toEqual(Array(3).fill("completed"));
    expect(guide.updatesOf("agent_thought_chunk")).toHaveLength(1);
  });
});
