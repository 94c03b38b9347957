import type { Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { anApproval, aQuestion, aSession, sessionId } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

describe("show", () => {
  test("shows a session's state and the command that answers its question", async () => {
    const agentSessionId = "conversation-1";
    t.server.session = aSession({ state: "waiting_for_input", openInteractions: 1, agentSessionId });
    t.server.interactions = [aQuestion()];
    const { stdout } = await drover("show", "brave-otter");
    expect(stdout).toContain("state        waiting for you");
    expect(stdout).toContain("agent        demo (acp): asks, resumes\n");
    expect(stdout).toContain("mode         ask\n");
    expect(stdout).toContain("drover answer int_01hv0000000000000000000002 q1=Red");
    expect(JSON.parse((await drover("show", "brave-otter", "--json")).stdout)).toEqual(t.server.session);
  });

  test("N9 says whether an ACP agent resumes only once the agent has reported it", async () => {
    for (const resume of [true, false]) {
      const capabilities = { ...aSession().capabilities, resume };
      t.server.session = aSession({ capabilities });
      expect((await drover("show", "brave-otter")).stdout).toContain("demo (acp): asks\n");
      t.server.session = aSession({ capabilities, agentSessionId: "conversation-1" });
      const words = resume ? "asks, resumes" : "asks, no memory";
      expect((await drover("show", "brave-otter")).stdout).toContain(`demo (acp): ${words}\n`);
    }
  });
});

describe("an agent that cannot ask", () => {
  const capabilities = { ...aSession().capabilities, approvals: "none", resume: false } as const;
  const session = (fields: Partial<Session> = {}) => aSession({ agent: "kit", capabilities, ...fields });

  test.each([
    [
      session(),
      "kit cannot ask for approval: in mode ask it may not change anything. To allow more, use mode acceptEdits or never.",
    ],
    [
      session({ permissionMode: "plan", modes: ["plan", "never"] }),
      "kit cannot ask for approval: in mode plan it may not change anything. To allow more, use mode never.",
    ],
    [session({ permissionMode: "never" }), "kit cannot ask for approval: in mode never it may do anything."],
  ])("is described as such, with the meaning of its mode", async (session, words) => {
    t.server.session = session;
    expect((await drover("show", "brave-otter")).stdout).toContain(`mode         ${words}\n`);
    expect((await drover("run", "kit", "x", "--detach")).stderr).toMatch(`brave-otter\n${words}\n`);
  });
});

describe("send", () => {
  test("says when the message is queued, and prints the receipt only with --json", async () => {
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: {
        messageId: "msg_2",
        sessionId,
        queuePosition: 2,
        requested: "steer",
        applied: "queued",
        cursor: 4,
        degradedBecause: "unsupported",
      },
    });
    const { code, stdout, stderr } = await drover("send", "brave-otter", "more", "--steer");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain("queued at position 2 (this agent does not accept messages during a turn)");
    const json = await drover("send", "brave-otter", "more", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ applied: "queued", queuePosition: 2 });
    expect(json.stderr).toBe("");
    expect((await t.server.wasAsked("POST", /messages$/)).body).toMatchObject({ disposition: "steer" });
  });

  test("to a paused queue names the command that continues it", async () => {
    t.server.session = aSession({ queued: 1, queuePaused: true });
    const receipt = {
      messageId: "msg_2",
      sessionId,
      queuePosition: 1,
      requested: "queue",
      applied: "queued",
    };
    t.server.routes["POST /api/sessions/:id/messages"] = () => ({
      status: 202,
      body: { ...receipt, cursor: 4 },
    });
    const { code, stderr } = await drover("send", "brave-otter", "more");
    expect(code).toBe(0);
    expect(stderr).toContain("`drover resume brave-otter`");
  });
});

describe("interrupt, stop, resume and rm", () => {
  test.for([
    ["interrupt", "POST", "/api/sessions/brave-otter/interrupt"],
    ["stop", "POST", "/api/sessions/brave-otter/stop"],
    ["resume", "POST", "/api/sessions/brave-otter/resume"],
    ["rm", "DELETE", "/api/sessions/brave-otter"],
  ] as const)(
    "%s speaks to people on standard error, and prints the answer with --json",
    async ([name, method, path]) => {
      const words = await drover(name, "brave-otter");
      expect(words).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("brave-otter") });
      await t.server.wasAsked(method, path);
      const json = await drover(name, "brave-otter", "--json");
      expect(json.stderr).toBe("");
      expect(JSON.parse(json.stdout)).toBeTypeOf("object");
    },
  );

  test("rm of a dirty worktree is exit 6 and names --force, which is passed on", async () => {
    t.server.routes["DELETE /api/sessions/:id"] = ({ path }) =>
      path.endsWith("?force=1")
        ? { body: { deleted: true } }
        : { status: 409, body: { error: "3 files are not committed", code: "WORKSPACE_DIRTY", files: [] } };
    const refused = await drover("rm", "brave-otter");
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain("drover rm brave-otter --force");
    expect((await drover("rm", "brave-otter", "--force")).code).toBe(0);
  });
});

describe("permit and answer", () => {
  test("permit lists what is open", async () => {
    t.server.interactions = [anApproval(), aQuestion()];
    const { stdout } = await drover("permit");
    expect(stdout).toContain("int_01hv0000000000000000000001  brave-otter  approval");
    expect(stdout).toContain("Which colour?");
    expect(JSON.parse((await drover("permit", "ls", "--json")).stdout)).toEqual({
      interactions: t.server.interactions,
      expired: [],
    });
  });

  test("permit allow finds the session by the interaction's or the tool call's id", async () => {
    for (const id of [anApproval().id, "call-1"]) {
      t.server.interactions = [anApproval()];
      const { code, stdout } = await drover("permit", "allow", id, "--scope", "session", "--json");
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({ resolution: "approved" });
      const approvals = t.server.asked.filter(({ path }) => path === `/api/sessions/${sessionId}/approve`);
      expect(approvals.at(-1)?.body).toMatchObject({ toolCallId: anApproval().id, scope: "session" });
    }
  });

  test("permit deny passes the reason on", async () => {
    t.server.interactions = [anApproval()];
    expect((await drover("permit", "deny", "call-1", "--reason", "not today")).code).toBe(0);
    expect((await t.server.wasAsked("POST", /deny$/)).body).toMatchObject({ reason: "not today" });
  });

  test("an unknown id is exit 5, and so is allowing a question", async () => {
    t.server.interactions = [aQuestion()];
    expect(await drover("permit", "allow", "int_x")).toMatchObject({
      code: 5,
      stderr: expect.stringContaining("drover permit ls"),
    });
    const wrong = await drover("permit", "allow", aQuestion().id);
    expect(wrong).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`drover answer ${aQuestion().id}`),
    });
  });

  test("a tool call id used in two sessions is exit 6 and names both", async () => {
    t.server.interactions = [anApproval(), anApproval({ id: "int_other", sessionName: "red-fox" })];
    const { code, stderr } = await drover("permit", "allow", "call-1");
    expect(code).toBe(6);
    expect(stderr).toContain("int_other (red-fox)");
  });

  test("answer takes KEY=VALUE, several values of one key, and a bare value for a single question", async () => {
    const submitted = async (...pairs: string[]) => {
      t.server.interactions = [aQuestion()];
      expect((await drover("answer", aQuestion().id, ...pairs)).code).toBe(0);
      return t.server.asked.filter(({ path }) => path.endsWith("/submit-answers")).at(-1)?.body["answers"];
    };
    expect(await submitted("q1=a=b")).toEqual({ q1: "a=b" });
    expect(await submitted("q1=Red", "q1=Dark blue")).toEqual({ q1: ["Red", "Dark blue"] });
    expect(await submitted("Red")).toEqual({ q1: "Red" });
  });
});
