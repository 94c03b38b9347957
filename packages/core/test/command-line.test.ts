import { describe, expect, test } from "vitest";
import {
  buildResumeCommand,
  buildSpawnCommand,
  canBeGated,
  extractSessionId,
  formatAnswersAsPrompt,
  matchesRule,
  maxArgumentBytes,
  type Preset,
  valueAt,
} from "../src/index.ts";

const preset = (changes: Partial<Preset>): Preset => ({
  ...{ agent: "kit", name: "Kit", driver: "jsonl", command: "kit", args: ["run"], env: {}, passEnv: [] },
  ...changes,
});
const turn = { permissionMode: "ask", prompt: "hi", promptFile: "/p" } as const;

describe("a command", () => {
  test("has its parts in a fixed order", () => {
    const all = preset({
      nonInteractive: ["-n"],
      modeArgs: { ask: ["-a"] },
      modelFlag: "-m",
      systemFlag: "-s",
      resume: ["-r", "{sessionId}"],
      lastArgs: ["-l"],
    });
    const command = buildResumeCommand(all, { ...turn, model: "M", systemFlag: "S", sessionId: "$&" });
    const args = ["run", "-n", "-a", "-m", "M", "-s", "S", "-r", "$&", "-l"];
    expect(command).toEqual({ ok: true, value: { command: "kit", args, env: {}, stdin: "prompt" } });
  });

  test.for<[string, Partial<Preset>, string[], "prompt" | "nothing"]>([
    ["on standard input", {}, ["run"], "prompt"],
    ["as a file, last", { prompt: "file" }, ["run", "/p"], "nothing"],
    [
      "as a file, at its placeholder",
      { prompt: "file", lastArgs: ["--in={promptFile}", "-v"] },
      ["run", "--in=/p", "-v"],
      "nothing",
    ],
    ["as an argument", { prompt: { flag: "-p" } }, ["run", "-p", "hi"], "nothing"],
  ])("passes the prompt %s", ([, changes, args, stdin]) => {
    expect(buildSpawnCommand(preset(changes), turn)).toMatchObject({ value: { args, stdin } });
  });

  test("uses the sandbox instead of the mode's own arguments if its changes are approved afterwards", () => {
    const agent = preset({ modeArgs: { ask: ["-r"], plan: ["-r"] }, sandboxArgs: ["-w"] });
    const argsOf = (how: Partial<typeof turn> & { isGated?: boolean }) => {
      const built = buildSpawnCommand(agent, { ...turn, ...how });
      return built.ok && built.value.args;
    };
    expect(argsOf({})).toEqual(["run", "-r"]);
    expect(argsOf({ isGated: true })).toEqual(["run", "-w"]);
    // A person has changed the mode meanwhile.
    expect(buildSpawnCommand(agent, { ...turn, permissionMode: "plan", isGated: true })).toMatchObject({
      value: { args: ["run", "-r"] },
    });
    expect([canBeGated(agent), canBeGated(preset({})), canBeGated({ ...agent, stateful: true })]).toEqual([
      ...[true, false, false],
    ]);
  });

  test("leaves out the model and the system text if the program has no flag for them", () => {
    const command = buildSpawnCommand(preset({}), { ...turn, model: "M", systemFlag: "S" });
    expect(command).toMatchObject({ value: { args: ["run"] } });
  });

  test("is rejected with both sizes if the prompt does not fit in one argument", () => {
    const agent = preset({ prompt: { flag: "-p" } });
    const prompt = "é".repeat(maxArgumentBytes / 2);
    expect(buildSpawnCommand(agent, { ...turn, prompt }).ok).toBe(true);
    expect(buildSpawnCommand(agent, { ...turn, prompt: `${prompt}x` })).toMatchObject({
      error: { code: "PROMPT_TOO_LARGE", facts: { limit: 102_400, size: 102_401 } },
    });
  });

  test("is rejected for a mode that the agent does not offer and for a model that looks like an option", () => {
    const agent = preset({ modeArgs: { plan: [] }, modeEnv: { never: {} }, modelFlag: "-m" });
    expect(buildSpawnCommand(agent, turn)).toMatchObject({
      error: { code: "UNSUPPORTED", message: 'Kit has no mode "ask"; choose one of: plan, never' },
    });
    expect(buildSpawnCommand(agent, { ...turn, permissionMode: "plan", model: "--yolo" })).toMatchObject({
      error: { code: "BAD_REQUEST", facts: { issues: [{ path: "model" }] } },
    });
  });

  test("resumes a conversation only if the agent supports it", () => {
    expect(buildResumeCommand(preset({}), { ...turn, sessionId: "x" })).toMatchObject({
      error: { code: "UNSUPPORTED", facts: { what: "resume" } },
    });
  });
});

describe("a line of output", () => {
  const line = { type: "msg", a: [{ b: 1 }], n: null, t: "x" };

  test("is read along a path of names and indexes, but never through a prototype", () => {
    expect(valueAt(line, ["a", 0, "b"])).toBe(1);
    expect(valueAt(line, [])).toBe(line);
    for (const path of [["a", 1], ["t", "length"], ["n", "x"], ["toString"], ["__proto__"]]) {
      expect(valueAt(line, path)).toBeUndefined();
    }
  });

  test("matches a rule by its type, by a value at a path, and by further conditions", () => {
    expect(matchesRule(line, { type: "msg" })).toBe(true);
    expect(matchesRule(line, { type: "*" })).toBe(true);
    expect(matchesRule(line, { type: "other" })).toBe(false);
    expect(matchesRule(line, { type: "msg", at: ["n"], is: null })).toBe(true);
    expect(matchesRule(line, { type: "msg", at: ["a", 0, "b"], is: 2 })).toBe(false);
    expect(matchesRule(line, { type: "msg", at: ["missing"] })).toBe(false);
    expect(matchesRule(line, { type: "msg", at: ["t"], when: [{ at: ["a", 0, "b"], is: 1 }] })).toBe(true);
    expect(matchesRule(line, { type: "msg", at: ["t"], when: [{ at: ["a", 0, "b"], is: 2 }] })).toBe(false);
  });

  test("yields the conversation's id, unless it could be taken for an option", () => {
    const agent = preset({ sessionId: ["init", "id"] });
    const found = (id: unknown) => extractSessionId(agent, { type: "init", id });
    expect(found("01a-b:c.d")).toBe("01a-b:c.d");
    for (const id of ["--yolo", "", "a b", 7, undefined, "a".repeat(201)]) expect(found(id)).toBeUndefined();
    expect(extractSessionId(agent, { type: "other", id: "x" })).toBeUndefined();
    expect(extractSessionId(preset({}), { type: "init", id: "x" })).toBeUndefined();
  });
});

test("answers become a prompt that repeats each question word for word", () => {
  const question = (id: string, text: string) => ({ id, question: text, options: [], multiSelect: false });
  const questions = [question("q1", "Which one?"), question("q2", "How?"), question("q3", "Why?")];
  expect(formatAnswersAsPrompt(questions, { q1: "$& this", q2: ["fast", "well"] })).toBe(
    "Here are the answers to your questions. Continue your task.\n\nQuestion: Which one?\nAnswer: $& this\n\nQuestion: How?\nAnswer: fast, well",
  );
});
