import type { Account } from "@drover/core";
import { describe, expect, test } from "vitest";
import { aSession } from "./fixtures.ts";
import { start } from "./run-cli.ts";
import { suite } from "./suite.ts";

const t = suite();

const account = (fields: Partial<Account> = {}): Account => ({
  ...{ id: `acc_${"a".repeat(26)}`, group: "kit", label: "work", kind: "token", priority: 0 },
  ...{ enabled: true, valid: true, createdAt: "2026-11-19T12:00:00.000Z", sessions: [] },
  ...fields,
});

const other = account({ id: `acc_${"b".repeat(26)}`, label: "home" });

const serve = (...accounts: readonly Account[]) => {
  t.server.routes["GET /api/accounts"] = () => ({ body: { accounts } });
  t.server.routes["POST /api/accounts"] = () => ({ status: 201, body: account() });
};

describe("account add", () => {
  test("sends a token from standard input, and says nothing of it", async () => {
    serve();
    const { code, stdout, stderr } = await t.run("account", "add", "kit", "--label", "work", "--token", "-");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("The token is missing.");
    const given = start(["account", "add", "kit", "--label", "work", "--token", "-"], {
      home: t.home,
      input: "made-up\n",
    });
    expect(await given.ended).toBe(0);
    expect((await t.server.wasAsked("POST", /accounts/)).body).toEqual({
      agent: "kit",
      label: "work",
      token: "made-up",
    });
    expect(given.stdout() + given.stderr()).not.toContain("made-up");
  });

  test("reads a secret that is typed, without showing it", async () => {
    serve();
    const typing = start(["account", "add", "kit", "--env", "KIT_KEY"], { home: t.home, terminal: true });
    await typing.says("It is not shown.");
    typing.type("made-up\r");
    expect(await typing.ended).toBe(0);
    expect((await t.server.wasAsked("POST", /accounts/)).body).toEqual({
      agent: "kit",
      env: { KIT_KEY: "made-up" },
    });
    expect(typing.stdout() + typing.stderr()).not.toContain("made-up");
  });

  test("warns of a secret on the command line, and needs exactly one", async () => {
    serve();
    const { stderr } = await t.run("account", "add", "kit", "--env", "KIT_KEY=made-up");
    expect(stderr).toContain("Warning: a secret on the command line");
    expect((await t.server.wasAsked("POST", /accounts/)).body).toEqual({
      agent: "kit",
      env: { KIT_KEY: "made-up" },
    });
    expect((await t.run("account", "add", "kit")).code).toBe(2);
    expect((await t.run("account", "add", "kit", "--token", "-", "--env", "A")).code).toBe(2);
  });
});

describe("account", () => {
  test("lists accounts with what prevents their use", async () => {
    const until = new Date(Date.now() + 3_600_000).toISOString();
    serve(account(), account({ label: "off", enabled: false }), account({ label: "bad", valid: false }), {
      ...other,
      exhausted: { until },
    });
    const { stdout } = await t.run("account", "ls");
    expect(stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ["LABEL", "GROUP", "STATE"],
      ["work", "kit", "ready"],
      ["off", "kit", "disabled"],
      ["bad", "kit", "not valid"],
      ["home", "kit", expect.stringMatching(/^used up until .*\d\d:\d\d$/)],
      [""],
    ]);
    serve();
    expect((await t.run("account", "ls")).stderr).toContain("No accounts: agents use their own logins.");
  });

  test("finds an account by its label or the start of its id, and names those that fit", async () => {
    serve(account(), other);
    t.server.routes[`PATCH /api/accounts/${other.id}`] = () => ({ body: { ...other, enabled: false } });
    expect((await t.run("account", "disable", "home")).stderr).toBe("The account home is disabled.\n");
    expect((await t.run("account", "disable", "acc_bb")).code).toBe(0);
    expect((await t.server.wasAsked("PATCH", /accounts/)).body).toEqual({ enabled: false });
    expect(await t.run("account", "show", "none")).toMatchObject({ code: 5 });
    expect(await t.run("account", "show", "acc_")).toMatchObject({
      code: 6,
      stderr: expect.stringContaining(`${other.id} (kit)`),
    });
    expect((await t.run("account", "show", "work")).stdout).toMatch(/label +work\n.*group +kit/s);
  });

  test("gives a session an account, or takes it away", async () => {
    serve(account());
    t.server.routes["PATCH /api/sessions/:id"] = () => ({ body: t.server.session });
    expect((await t.run("account", "use", "work", "--session", "brave-otter")).stderr).toContain(
      "uses the account work",
    );
    expect((await t.server.wasAsked("PATCH", /sessions/)).body).toEqual({ account: account().id });
    expect((await t.run("account", "use", "--session", "brave-otter")).stderr).toContain("Drover chooses");
  });
});

test("a list of sessions, and one of them, names their accounts if there are any", async () => {
  serve(account());
  t.server.session = aSession({ account: account().id });
  expect((await t.run("ls")).stdout).toMatch(/^NAME +AGENT +STATE +ACCOUNT +AGE +TITLE\n.* work /);
  expect((await t.run("show", "brave-otter")).stdout).toMatch(/^account +work$/m);
  t.server.session = aSession({ account: account().id, isAccountFixed: true });
  expect((await t.run("show", "brave-otter")).stdout).toMatch(/^account +work, chosen by you$/m);
  t.server.routes["GET /api/accounts"] = () => ({
    status: 403,
    body: { code: "AGENT_CANNOT_ANSWER", error: "No" },
  });
  expect((await t.run("ls")).stdout).toContain(account().id);
});
