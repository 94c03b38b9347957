import { expect, test } from "vitest";
import { aSession } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

const path = "/api/agents/claude/conversations";
const had = { agentSessionId: "uuid-1", title: "Fix\nthe test", cwd: "/home/me/project" };
const updatedAt = "2026-02-18T14:30:00.000Z";

test("fork creates a session from an event and names it", async () => {
  const made = aSession({ name: "calm-owl" });
  t.server.routes["POST /api/sessions/:id/fork"] = () => ({ status: 201, body: made });
  const forked = await drover("fork", "brave-otter", "--at", "42", "--title", "Another way");
  expect(forked).toMatchObject({ code: 0, stdout: "" });
  expect(forked.stderr).toContain("Created calm-owl from brave-otter");
  const asked = await t.server.wasAsked("POST", "/api/sessions/brave-otter/fork");
  expect(asked.body).toEqual({ at: 42, title: "Another way" });
  const whole = await drover("fork", "brave-otter", "--json");
  expect(JSON.parse(whole.stdout)).toEqual(made);
  expect(t.server.asked.at(-1)?.body).toEqual({});
});

test("a fork that the agent cannot make is exit 2, with the server's own words", async () => {
  const body = { error: "demo cannot fork", code: "UNSUPPORTED", what: "fork" };
  t.server.routes["POST /api/sessions/:id/fork"] = () => ({ status: 400, body });
  expect(await drover("fork", "brave-otter")).toEqual({ code: 2, stdout: "", stderr: "demo cannot fork\n" });
  expect((await drover("fork", "brave-otter", "--at", "soon")).code).toBe(2);
});

test("conversations are listed one per line, with their sessions", async () => {
  const other = { agentSessionId: "uuid-2", title: "Docs", cwd: "/home/me", sessionId: "ses_2", updatedAt };
  const listed = { conversations: [{ ...had, updatedAt }, other] };
  t.server.routes[`GET ${path}`] = () => ({ body: listed });
  const { code, stdout } = await drover("conversations", "claude");
  expect(code).toBe(0);
  const [heading, first, second] = stdout.split("\n");
  expect(heading).toMatch(/^ID +AGE +SESSION +ABOUT$/);
  expect(first).toMatch(/^uuid-1 .* - +\/home\/me\/project: Fix the test$/);
  expect(second).toMatch(/^uuid-2 .* ses_2 +\/home\/me: Docs$/);
  expect(JSON.parse((await drover("conversations", "claude", "--json")).stdout)).toEqual(listed);
  await drover("conversations", "claude", "--cwd", "/srv/x");
  expect(t.server.asked.at(-1)?.path).toBe(`${path}?cwd=%2Fsrv%2Fx`);
});

test("an agent without conversations is reported as such", async () => {
  t.server.routes[`GET ${path}`] = () => ({ body: { conversations: [] } });
  const { code, stdout, stderr } = await drover("conversations", "claude");
  expect([code, stdout, stderr]).toEqual([0, "", "claude has no conversations.\n"]);
});

test("adopt creates a session in the conversation's directory or in --cwd", async () => {
  t.server.routes[`GET ${path}`] = () => ({ body: { conversations: [{ ...had, updatedAt }] } });
  const { code, stderr } = await drover("adopt", "claude", "uuid-1");
  expect(code).toBe(0);
  expect(stderr).toContain("drover logs brave-otter");
  const agentSessionId = "uuid-1";
  expect(t.server.asked.at(-1)?.body).toEqual({ agent: "claude", cwd: "/home/me/project", agentSessionId });
  const there = await drover("adopt", "claude", "uuid-1", "--cwd", "/srv/x", "--json");
  expect(JSON.parse(there.stdout)).toMatchObject({ name: "brave-otter", cwd: "/srv/x" });
});

test("an unknown conversation is exit 5 and names the command that lists them", async () => {
  t.server.routes[`GET ${path}`] = () => ({ body: { conversations: [] } });
  const unknown = await drover("adopt", "claude", "uuid-9");
  expect(unknown.code).toBe(5);
  expect(unknown.stderr).toContain("`drover conversations claude`");
  const body = { error: "There is none", code: "NOT_FOUND", what: "conversation" };
  t.server.routes["POST /api/sessions"] = () => ({ status: 404, body });
  const elsewhere = await drover("adopt", "claude", "uuid-9", "--cwd", "/srv/x");
  expect(elsewhere.code).toBe(5);
  expect(elsewhere.stderr).toContain("`drover conversations AGENT`");
});
