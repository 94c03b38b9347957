import type { LastTurn, Session } from "@drover/core";
import { describe, expect, test } from "vitest";
import { aSession, turnId } from "./fixtures.ts";
import { suite } from "./suite.ts";

const t = suite();
const drover = t.run;

describe("ls", () => {
  test("lists sessions as a table, and as the server's own answer with --json", async () => {
    const updatedAt = new Date(Date.now() - 120_000).toISOString();
    t.server.session = aSession({ updatedAt, state: "waiting_for_input" });
    const { stdout, stderr } = await drover("ls");
    expect(stdout).toBe(
      "NAME         AGENT  STATE            AGE    TITLE\n" +
        "brave-otter  demo   waiting for you  2 min  Fix the test\n",
    );
    expect(stderr).toBe("");
    expect(JSON.parse((await drover("ls", "--json")).stdout)).toEqual({ sessions: [t.server.session] });
  });

  test("passes its filters on and includes archived sessions with --all", async () => {
    t.server.routes["GET /api/sessions"] = ({ path }) => ({
      body: {
        sessions: [
          aSession(path.includes("archived=true") ? { id: "ses_2", name: "old", archived: true } : {}),
        ],
      },
    });
    const { stdout } = await drover("ls", "--all", "--state", "idle", "--cwd", "sub", "--limit", "7");
    expect(stdout).toContain("old");
    const query = new URL((await t.server.wasAsked("GET", /sessions\?/)).path, "http://x").searchParams;
    expect(Object.fromEntries(query)).toEqual({
      limit: "7",
      state: "idle",
      cwd: `${t.home}/sub`,
      archived: "false",
    });
  });

  test("leaves a ~ that no shell has replaced to the server", async () => {
    t.server.routes["GET /api/sessions"] = () => ({ body: { sessions: [aSession()] } });
    await drover("ls", "--cwd", "~/work");
    const query = new URL((await t.server.wasAsked("GET", /sessions\?/)).path, "http://x").searchParams;
    expect(query.get("cwd")).toBe("~/work");
  });

  test("marks unread sessions after their state, and lists only them with --unread", async () => {
    t.server.session = aSession({ unread: true });
    const { stdout } = await drover("ls", "--unread");
    expect(stdout).toMatch(/^brave-otter {2}demo {3}idle ● unread {2}/m);
    expect((await t.server.wasAsked("GET", /sessions\?/)).path).toContain("unread=true");
    expect(JSON.parse((await drover("ls", "--json")).stdout).sessions[0].unread).toBe(true);
  });

  test("says how to start if there are no sessions yet", async () => {
    t.server.routes["GET /api/sessions"] = () => ({ body: { sessions: [] } });
    expect(await drover("ls")).toMatchObject({
      stdout: "",
      stderr: expect.stringContaining("drover run demo"),
    });
    expect((await drover("ls", "--state", "crashed")).stderr).toContain("`drover ls --all`");
  });

  const ended = (reason: LastTurn["reason"], fields: Partial<Session> = {}): Partial<Session> => ({
    ...{
      state: "idle",
      lastTurn: { id: turnId, startedAt: "", endedAt: "", reason, ok: reason === "end_turn" },
    },
    ...fields,
  });

  test.for<[string, Partial<Session>]>([
    ["idle", {}],
    ["idle", ended("end_turn")],
    ["failed", ended("error")],
    ["failed", ended("auth")],
    ["crashed", ended("crashed")],
    ["crashed", { state: "crashed" }],
    ["usage limit", ended("usage_limit")],
    ["usage limit", { state: "waiting_for_quota" }],
    ["no output", { state: "stalled" }],
    ["interrupted", ended("cancelled")],
    ["paused", ended("cancelled", { queued: 2, queuePaused: true })],
    ["failed", ended("error", { queued: 2, queuePaused: true })],
    ["running", ended("error", { state: "running" })],
    ["archived", ended("error", { archived: true })],
  ])("shows %s for %j", async ([words, fields]) => {
    t.server.session = aSession({ ...fields, updatedAt: new Date().toISOString() });
    const { stdout } = await drover("ls");
    expect(stdout.split("\n")[1]).toMatch(new RegExp(`^brave-otter  demo   ${words} +\\d+ s`));
  });

  test("colors what failed red and what needs a person yellow", async () => {
    const line = async (fields: Partial<Session>) => {
      t.server.session = aSession(fields);
      const cli = t.drover(["ls"], { terminal: true, settings: { colour: true } });
      await cli.ended;
      return cli.stdout();
    };
    expect(await line(ended("error"))).toContain("\u001b[31mfailed");
    expect(await line({ state: "waiting_for_input" })).toContain("\u001b[33mwaiting for you");
  });
});
