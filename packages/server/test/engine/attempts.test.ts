import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { type AgentConnection, StoreError } from "../../src/ports.ts";
import { ended, following, prompted } from "./follow-ups.ts";
import { but, granted, Staged } from "./support.ts";

// Tests run concurrently: each retry of a failed prompt first waits a second to see whether its agent has died.

/** Every item's kind, or code, and its last line: the agent prints the prompt's hash before the prompt. */
async function itemsOf(staged: Staged, id: string) {
  const { items } = granted(await staged.service.sessions.items(id, { limit: 500 }));
  return items.map(({ kind, code, text }) => [code ?? kind, text?.split("\n").at(-1)]);
}

const unreachable = () => new Fault("AGENT_UNREACHABLE", "It does not listen", { retry: "same" });

test.concurrent("a prompt that may be retried is sent to a new process, and the turn ends once", async () => {
  const { stage, prompts } = prompted((prompt) => (prompt === 1 ? unreachable() : undefined));
  const { followUps, asked } = following(() => ({ mayRetry: true }));
  await using staged = await Staged.open({ ...stage, followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn, run } = await staged.when(id, ended);
  expect({ run, lastTurn }).toMatchObject({ run: 2, lastTurn: { ok: true, reason: "end_turn" } });
  expect(prompts).toEqual(["hello", "hello"]);
  expect([asked[0], asked.at(-1)]).toEqual([
    [1, "failed"],
    [2, "answered"],
  ]);
  const types = await staged.types(id);
  expect(types.filter((type) => ["turn_start", "error", "notice", "done"].includes(type))).toEqual([
    ...["turn_start", "error", "notice", "done"],
  ]);
  expect((await staged.store.session(id))?.runtime.attempt).toBeUndefined();
});

test.concurrent("a turn has no more attempts than it is allowed", async () => {
  const { stage, prompts } = prompted(unreachable);
  const { followUps } = following(() => ({ maxAttempts: 2, mayRetry: true }));
  await using staged = await Staged.open({ ...stage, followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn } = await staged.when(id, ended);
  expect(lastTurn).toMatchObject({ ok: false, reason: "error" });
  expect(prompts).toHaveLength(2);
});

test.concurrent("an agent that exits in the middle of its turn gets the prompt again", async () => {
  let crashes = 0;
  const { stage, prompts } = prompted();
  const connection = (real: AgentConnection): AgentConnection =>
    but(stage.connection(real), {
      prompt: async (turnId, content) => {
        if (crashes > 0) return stage.connection(real).prompt(turnId, content);
        crashes += 1;
        process.kill(real.pid, "SIGKILL");
        await real.ended;
        throw unreachable();
      },
    });
  const { followUps, asked } = following(() => ({ mayRetry: true }));
  await using staged = await Staged.open({ ...stage, connection, followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn } = await staged.when(id, ended);
  expect(lastTurn).toMatchObject({ ok: true });
  expect(prompts).toEqual(["hello"]);
  expect(asked).toEqual([
    [1, "exited"],
    [2, "answered"],
  ]);
});

test.concurrent("an instruction continues the turn in the agent's conversation", async () => {
  const { stage, prompts } = prompted();
  const { followUps } = following(({ n }) => (n === 1 ? { instruction: "Run the tests" } : {}));
  await using staged = await Staged.open({ ...stage, followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn, run } = await staged.when(id, ended);
  expect({ run, lastTurn }).toMatchObject({ run: 1, lastTurn: { ok: true } });
  expect(prompts).toEqual(["hello", "Run the tests"]);
  expect(await itemsOf(staged, id)).toEqual([
    ["user", "hello"],
    ["text", "hello"],
    ["INSTRUCTED", "Run the tests"],
    ["text", "Run the tests"],
  ]);
});

test.concurrent("a turn that switches to another account gets another process", async () => {
  const limit = new Fault("USAGE_LIMIT", "Used up", { retry: "other-account" });
  const { stage, prompts } = prompted((prompt) => (prompt === 1 ? limit : undefined));
  const accounts: (string | undefined)[] = [];
  const { followUps } = following(({ account }) => {
    accounts.push(account);
    return { nextAccount: "second" };
  });
  await using staged = await Staged.open({ ...stage, followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const { lastTurn, run } = await staged.when(id, ended);
  expect({ run, lastTurn }).toMatchObject({ run: 2, lastTurn: { ok: true } });
  expect(prompts).toEqual(["hello", "hello"]);
  expect([accounts[0], accounts.at(-1)]).toEqual([undefined, "second"]);
});

test.concurrent("E6 a waiting turn is delivered when its time comes, even by the next server", async () => {
  const home = await tempDir();
  const limit = new Fault("RATE_LIMITED", "Too fast", { retry: { afterMs: 1 } });
  const far = new Date(Date.now() + 3_600_000).toISOString();
  const refusing = prompted(() => limit);
  const before = await Staged.open({
    ...refusing.stage,
    followUps: following(() => ({ waitUntil: far })).followUps,
    home,
  });
  const { id } = await before.create();
  await before.send(id, "hello");
  const waiting = await until(async () => {
    const { runtime } = (await before.store.session(id)) ?? {};
    return runtime?.attempt?.n === 2 && runtime.attempt;
  });
  expect(waiting).toMatchObject({ notBefore: far, prompt: { phase: "accepted" } });
  expect(await before.store.alarms()).toMatchObject([
    { kind: "attempt", sessionId: id, due: { counts: "wall", dueAt: far } },
  ]);
  expect(refusing.prompts).toEqual(["hello"]);
  await until(async () => (await before.store.session(id))?.runtime.process === undefined, {
    what: "the process that did not take the prompt is gone",
  });
  await before.close();

  const { stage, prompts } = prompted();
  // Its time came while no server was running.
  const isOver = (row: Awaited<ReturnType<typeof before.store.liveSessions>>[number]) => ({
    ...row,
    runtime: { ...row.runtime, attempt: { ...waiting, notBefore: new Date(0).toISOString() } },
  });
  await using after = await Staged.open({
    ...stage,
    home,
    store: (real) => but(real, { liveSessions: async () => (await real.liveSessions()).map(isOver) }),
  });
  await (await after.engine.recover()).attached;
  const { lastTurn } = await after.when(id, ended);
  expect(lastTurn).toMatchObject({ ok: true });
  expect(prompts).toEqual(["hello"]);
});

test.concurrent("a waiting turn is delivered by the same server, and not before its time", async () => {
  const times: number[] = [];
  const { stage } = prompted(() => {
    times.push(Date.now());
    return undefined;
  });
  const waits: string[] = [];
  const { followUps } = following(() => {
    waits.push(new Date(Date.now() + 1_500).toISOString());
    return { maxAttempts: 2, waitUntil: waits.at(-1) ?? "" };
  });
  // The agent keeps running, so only the wait delays the second prompt.
  await using staged = await Staged.open({ ...stage, agent: "follows-script", followUps });
  const { id } = await staged.create();
  const limit = { code: 429, message: "Too fast", data: { retryAfter: 1 } };
  await staged.send(id, JSON.stringify([{ fail: limit }]));
  const { lastTurn, run } = await staged.when(id, ended);
  expect({ run, lastTurn }).toMatchObject({ run: 1, lastTurn: { ok: false, reason: "usage_limit" } });
  expect(times).toHaveLength(2);
  expect(times[1]).toBeGreaterThanOrEqual(Date.parse(waits[0] ?? ""));
  expect(await staged.store.alarms()).toEqual([]);
});

test.concurrent("interrupting a waiting turn ends it and clears its alarm", async () => {
  const limit = new Fault("RATE_LIMITED", "Too fast", { retry: { afterMs: 1 } });
  const { stage, prompts } = prompted(() => limit);
  const waitUntil = new Date(Date.now() + 3_600_000).toISOString();
  await using staged = await Staged.open({ ...stage, followUps: following(() => ({ waitUntil })).followUps });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await until(async () => (await staged.store.alarms()).length === 1);
  granted(await staged.service.sessions.interrupt(id));
  const { lastTurn } = await staged.when(id, ended);
  expect(lastTurn).toMatchObject({ ok: false, reason: "cancelled" });
  expect(prompts).toEqual(["hello"]);
  expect(await staged.store.alarms()).toEqual([]);
});

test.concurrent("E6 a turn continues if its prompt was being written when the server died and the agent has answered it", async () => {
  const home = await tempDir();
  const refused = Promise.withResolvers<void>();
  const before = await Staged.open({
    agent: "asks-permission",
    home,
    connection: (real) =>
      but(real, {
        prompt: async (turnId, content) => {
          await real.prompt(turnId, content);
          await new Promise(() => {});
        },
      }),
    // This server stores nothing of the agent's output.
    store: (real) =>
      but(real, {
        append(append) {
          if (append.session.row.runtime.attempt?.prompt.phase !== "written") return real.append(append);
          refused.resolve();
          return Promise.reject(new StoreError("STORE_BUSY", "Another program holds the database"));
        },
      }),
  });
  const { id } = await before.create();
  await before.send(id, "please");
  await refused.promise;
  await before.close();

  const cancelled: string[] = [];
  const connection = (real: AgentConnection): AgentConnection =>
    but(real, { cancel: async (turnId) => void cancelled.push(turnId) });
  await using after = await Staged.open({ agent: "asks-permission", home, connection });
  expect((await after.store.session(id))?.runtime.attempt?.prompt.phase).toBe("writing");
  await (await after.engine.recover()).attached;
  await after.when(id, ({ openInteractions }) => openInteractions === 1);
  const [asked] = await after.service.interactions.list({ state: "open", sessionId: id });
  const approval = { toolCallId: asked?.toolCallId ?? "", scope: "once" } as const;
  granted(await after.service.interactions.approve(id, approval, { by: "api" }));
  const { lastTurn } = await after.when(id, ended);
  expect({ cancelled, ok: lastTurn?.ok }).toEqual({ cancelled: [], ok: true });
});
