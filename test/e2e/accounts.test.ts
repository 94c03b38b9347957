import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Account, AgentInfo } from "@drover/core";
import { expect, test } from "vitest";
import { environmentOf } from "../kit/processes.ts";
import { until } from "../kit/until.ts";
import {
  accountOf,
  accountsOfTurns,
  addAccount,
  addAccounts,
  demoAgents,
  tokenOf,
  variable,
  variablesIn,
} from "./account-rig.ts";
import { sharedRig } from "./shared-rig.ts";
import { kitAgent, openRig, openSession, processesOfSession } from "./support.ts";

/** Limits of more than a second exhaust an account, so that a test can wait for their end. */
const config = { accounts: { rateLimitUpTo: "1s" } };
const names = ["three", "limited", "fixed", "words", "apart", "gone"];

const rig = sharedRig({
  config,
  agents: {
    ...demoAgents(...names),
    refusing: { ...kitAgent("follows-script.mjs"), account: { env: variable } },
    printer: {
      ...{ name: "Printer", driver: "text", command: "/bin/sh", account: { env: "PRINTER_TOKEN" } },
      ...{ args: ["-c", 'echo "$PRINTER_TOKEN $PRINTER_HOME"'], passEnv: ["PRINTER_TOKEN", "PRINTER_HOME"] },
    },
  },
  env: { PRINTER_TOKEN: "of-the-server", PRINTER_HOME: "/of/the/server" },
});

test("K2 turns take three accounts in turns, and an exhausted one is back after its limit", async () => {
  const { a, b, c } = await addAccounts(rig, "three", "a", "b", "c");
  await using session = await openSession(rig, "three");
  const first = await accountsOfTurns(session, "say 1", "say 2", "say 3", "say 4");
  expect(first).toEqual([a.id, b.id, c.id, a.id]);
  expect((await session.turn("limit 3")).reason).toBe("usage_limit");
  expect((await accountOf(rig, b)).exhausted).toMatchObject({ until: expect.any(String) });
  expect(await accountsOfTurns(session, "say 5", "say 6")).toEqual([c.id, a.id]);
  await until(async () => (await accountOf(rig, b)).exhausted === undefined);
  expect(await accountsOfTurns(session, "say 7", "say 8")).toEqual([b.id, c.id]);
});

test("a limit ends the turn in words that name the account, and the next turn continues the conversation on another", async () => {
  const { work, home } = await addAccounts(rig, "limited", "work", "home");
  await using session = await openSession(rig, "limited");
  const { reason, error } = await session.turn("limit 3600");
  expect({ reason, error }).toMatchObject({
    reason: "usage_limit",
    error: { code: "USAGE_LIMIT", retry: "other-account", until: expect.any(String) },
  });
  expect(error?.message).toMatch(
    /^The account work is used up until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Send it again to continue with the account home\.$/,
  );
  const { agentSessionId } = await session.get();
  // The same prompt again, as Retry sends it.
  expect((await session.turn("limit 3600")).ok).toBe(true);
  expect(await session.get()).toMatchObject({ account: home.id, agentSessionId });
  // A turn on the other account learns of its own limit as well.
  await using other = await openSession(rig, "limited");
  expect((await other.turn("limit 7200")).error?.message).toMatch(
    /^The account home is used up until .*\. No other account can be used now: wait until then, or add one/,
  );
  const { error: none } = await session.turn("say hello");
  const { exhausted } = await accountOf(rig, work);
  expect(none).toMatchObject({ code: "USAGE_LIMIT", until: exhausted?.until });
  expect(none?.message).toMatch(/^Every account of limited is used up; the first is back at /);
  await rig.client.post(`/api/accounts/${work.id}/clear`, {});
  expect(await accountsOfTurns(session, "say hello")).toEqual([work.id]);
});

test("a person's choice of an account holds, and is never replaced by another account", async () => {
  const { a, b } = await addAccounts(rig, "fixed", "a", "b");
  await using session = await openSession(rig, "fixed", { account: b.id });
  expect(await session.get()).toMatchObject({ account: b.id, isAccountFixed: true });
  expect(await accountsOfTurns(session, "say 1", "say 2")).toEqual([b.id, b.id]);
  expect((await session.turn("limit 3600")).error?.message).toMatch(/account use/);
  const { error } = await session.turn("say 3");
  expect(error).toMatchObject({ code: "USAGE_LIMIT", until: expect.any(String) });
  expect(error?.message).toMatch(/^The account b is used up until .*\. Choose another one for this session/);
  await rig.client.post(`/api/accounts/${b.id}/clear`, {});
  await rig.client.patch(`/api/accounts/${b.id}`, { enabled: false });
  expect((await session.turn("say 4")).error).toMatchObject({
    code: "AUTH_FAILED",
    message: expect.stringContaining(`drover account enable ${b.id}`),
  });
  await rig.client.patch(session.path(), { account: null });
  expect((await session.get()).isAccountFixed).toBeUndefined();
  expect(await accountsOfTurns(session, "say 5")).toEqual([a.id]);
  const foreign = await addAccount(rig, "gone", { label: "foreign", token: "made-up-foreign" });
  const wrong = await rig.client.ask("PATCH", session.path(), { body: { account: foreign.id } });
  expect(wrong).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", issues: [{ path: "account" }] } });
  const unknown = await rig.client.ask("PATCH", session.path(), {
    body: { account: `acc_${"0".repeat(26)}` },
  });
  expect(unknown).toMatchObject({ status: 404, body: { code: "NOT_FOUND", what: "account" } });
});

test("K5 an answer that speaks of limits, and an error that does, change nothing", async () => {
  const { a } = await addAccounts(rig, "words", "a");
  await using session = await openSession(rig, "words");
  const limit = "429 rate limit: usage limit reached, your account is used up until tomorrow";
  expect((await session.turn(`say ${limit}`)).ok).toBe(true);
  expect((await session.turn(`fail ${limit}`)).error?.code).toBe("MODEL_ERROR");
  const account = await accountOf(rig, a);
  expect(account).toMatchObject({ valid: true });
  expect(account.exhausted).toBeUndefined();
  expect(await accountsOfTurns(session, "say hello")).toEqual([a.id]);
});

test("K6 two sessions run on two accounts at once and share nothing", async () => {
  const [one, two] = [tokenOf("one"), tokenOf("two")];
  await addAccount(rig, "apart", { label: "one", token: one });
  await addAccount(rig, "apart", { label: "two", token: two });
  await using first = await openSession(rig, "apart");
  await using second = await openSession(rig, "apart");
  await first.turn("say 1");
  await second.turn("say 2");
  const ids = [first, second].map(({ id }) => ({ id }));
  await Promise.all([first.send("hang"), second.send("hang")]);
  await until(async () =>
    (await Promise.all([first.get(), second.get()])).every(({ state }) => state === "running"),
  );
  const found = ids.map((id) => [...new Set(variablesIn(rig, id))]);
  expect(found.flat().toSorted()).toEqual([one, two].toSorted());
  for (const [at, id] of ids.entries()) {
    const other = found[1 - at]?.[0] ?? "";
    const environments = processesOfSession(rig, id.id).map(({ pid }) =>
      [...(environmentOf(pid) ?? [])].flat(),
    );
    expect(environments.flat().some((text) => text.includes(other))).toBe(false);
  }
  for (const session of [first, second]) await session.post("interrupt");
});

test("an agent without an account gets the server's variables, and one with an account none of them", async () => {
  const said = async (): Promise<string | undefined> => {
    await using session = await openSession(rig, "printer");
    await session.turn("hello");
    return (await session.items()).findLast(({ kind }) => kind === "text")?.text?.trim();
  };
  const login = async () => {
    const { agents } = await rig.client.get<{ agents: AgentInfo[] }>("/api/agents");
    return agents.find(({ agent }) => agent === "printer")?.login;
  };
  expect([await said(), await login()]).toEqual(["of-the-server /of/the/server", "unknown"]);
  const account = await rig.client.post<Account>("/api/accounts", {
    agent: "printer",
    env: { PRINTER_TOKEN: "of-the-account" },
  });
  expect(account).toMatchObject({ kind: "env", env: ["PRINTER_TOKEN"], label: "printer" });
  expect([await said(), await login()]).toEqual(["of-the-account", "ok"]);
  await rig.client.patch(`/api/accounts/${account.id}`, { enabled: false });
  expect(await said()).toBe("of-the-server /of/the/server");
});

test("an account whose secret is gone is not used, and says why", async () => {
  const { lost, found } = await addAccounts(rig, "gone", "lost", "found");
  await rm(join(rig.server.droverHome, "accounts", lost.id), { recursive: true });
  await using session = await openSession(rig, "gone");
  await rig.client.patch(session.path(), { account: null });
  const used = await accountsOfTurns(session, "say 1", "say 2", "say 3");
  expect(used).not.toContain(lost.id);
  expect(used).toContain(found.id);
  expect(await accountOf(rig, lost)).toMatchObject({ valid: false, reason: "It has no secret any more" });
});

test("K4 an account whose login is refused is not used until it is cleared", async () => {
  const { a } = await addAccounts(rig, "refusing", "a");
  await using session = await openSession(rig, "refusing");
  const refused = JSON.stringify([{ fail: { code: -32000, message: "Authentication required" } }]);
  const { error } = await session.turn(refused);
  expect(error).toMatchObject({ code: "AUTH_FAILED" });
  expect(error?.message).toContain(`the account a, which is not used until \`drover account clear ${a.id}\``);
  expect(await accountOf(rig, a)).toMatchObject({ valid: false, reason: expect.any(String) });
  expect((await session.turn("[]")).error?.message).toMatch(/^No account of Kit can be used\./);
  const cleared = await rig.client.post<Account>(`/api/accounts/${a.id}/clear`, {});
  expect(cleared.valid).toBe(true);
});

test("K4 the content of a login file is a token, which is not valid once it has expired", async () => {
  const add = (oauth: Record<string, unknown>) => {
    const token = JSON.stringify({ claudeAiOauth: oauth });
    return rig.client.ask<Account>("POST", "/api/accounts", { body: { agent: "claude", token } });
  };
  expect((await add({ accessToken: "made-up-endless", expiresAt: null })).body).toMatchObject({
    valid: true,
  });
  const soon = Date.now() + 4 * 60_000;
  expect((await add({ accessToken: "made-up-short", expiresAt: soon })).body).toMatchObject({
    ...{ label: "claude 2", valid: false },
    reason: expect.stringContaining("expired"),
  });
  const long = Date.now() + 6 * 60_000;
  expect((await add({ accessToken: "made-up-long", expiresAt: long })).body).toMatchObject({ valid: true });
  expect(await add({ refreshToken: "made-up" })).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", issues: [{ path: "token" }] },
  });
});

test("a server that is killed still knows on which account its agent runs", async () => {
  await using own = await openRig({ config, agents: demoAgents("demo-two") });
  const { a, b } = await addAccounts(own, "demo-two", "a", "b");
  await using session = await openSession(own, "demo-two");
  const { messageId } = await session.send("slow 20\nstream 60\nlimit 3600");
  await until(() => session.all("text_delta").length > 2);
  await own.server.kill9();
  await own.start();
  expect((await session.done(messageId)).error?.message).toMatch(/^The account a is used up/);
  expect(await accountsOfTurns(session, "say 1", "say 2")).toEqual([b.id, b.id]);
  expect((await accountOf(own, a)).exhausted).toBeDefined();
  expect(await readFile(join(own.server.droverHome, "accounts", a.id, "secret.json"), "utf8")).toContain(
    "token-of-a",
  );
});
