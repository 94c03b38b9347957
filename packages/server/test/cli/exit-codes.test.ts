import { describe, expect, test } from "vitest";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

describe("a server's refusal becomes an exit code", () => {
  test.for<[number, string, number]>([
    [400, "BAD_REQUEST", 2],
    [401, "UNAUTHENTICATED", 7],
    [403, "AGENT_CANNOT_ANSWER", 7],
    [404, "NOT_FOUND", 5],
    [409, "ALREADY_RESOLVED", 6],
    [413, "PROMPT_TOO_LARGE", 2],
    [500, "BUG", 1],
    [503, "STORAGE_FULL", 1],
    [409, "SOMETHING_NEW", 6],
  ])("%i %s is exit %i, with the server's own words", async ([status, code, exit]) => {
    t.server.routes["GET /api/sessions/:id"] = () => ({
      status,
      body: { error: "Try it the other way", code },
    });
    const shown = await drover("show", "brave-otter");
    expect(shown).toMatchObject({ code: exit, stdout: "" });
    expect(shown.stderr).toMatch(/^Try it the other way\n/);
  });

  test("--json prints a refusal as the server's answer, but not among frames", async () => {
    const body = { error: "There is no session fox", code: "NOT_FOUND", what: "session" };
    t.server.routes["GET /api/sessions/:id"] = () => ({ status: 404, body });
    const shown = await drover("show", "fox", "--json");
    expect(shown.code).toBe(5);
    expect(JSON.parse(shown.stdout)).toEqual(body);
    expect(shown.stderr).toContain('No session named "fox"');
    expect(await drover("attach", "fox", "--json")).toMatchObject({ code: 5, stdout: "" });
  });

  test("an unknown agent is exit 5 and names the command that lists them", async () => {
    t.server.routes["GET /api/agents/fox/conversations"] = () => ({
      status: 404,
      body: { error: "There is no agent fox", code: "NOT_FOUND", what: "agent" },
    });
    const { code, stderr } = await drover("conversations", "fox");
    expect(code).toBe(5);
    expect(stderr).toContain("`drover agents`");
  });

  test("an answer of another kind of server is reported as such", async () => {
    t.server.routes["GET /api/sessions"] = () => ({ status: 502, body: "<html>" });
    const { code, stderr } = await drover("ls");
    expect(code).toBe(1);
    expect(stderr).toContain("look like a Drover server");
  });
});

describe("an answer of a shape that the command does not know", () => {
  test.for([
    ["show", "brave-otter"],
    ["logs", "brave-otter"],
    ["diff", "brave-otter", "--stat"],
    ["ls"],
    ["permit"],
  ])("%s is exit 1 with a message and no stack", async (args) => {
    for (const path of ["", "/:id", "/:id/messages", "/:id/workspace"])
      t.server.routes[`GET /api/sessions${path}`] = () => ({ body: { surprise: true } });
    t.server.routes["GET /api/interactions"] = () => ({ body: [] });
    const { code, stderr } = await drover(...args);
    expect(code).toBe(1);
    expect(stderr).toContain("can't read");
    expect(stderr).not.toContain("    at ");
  });
});

describe("usage", () => {
  test("an unknown command is exit 2 and suggests a similar one", async () => {
    const { code, stderr } = await drover("atach", "brave-otter");
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean attach?");
  });

  test.for([
    ["ls", "--limit", "many"],
    ["run"],
    ["show"],
    ["ls", "--nope"],
    ["wait", "x", "--timeout", "soon"],
    ["wait", "x", "--timeout", "60d"],
  ])("%j is exit 2", async (args) => {
    expect((await drover(...args)).code).toBe(2);
    expect(t.server.asked).toEqual([]);
  });

  test("--version prints only the version", async () => {
    expect(await drover("--version")).toEqual({ code: 0, stdout: "0.1.0\n", stderr: "" });
  });
});
