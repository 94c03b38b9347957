import { Fault } from "@drover/core";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { type AgentConnection, type Store, StoreError } from "../../src/ports.ts";
import { but, granted, Staged } from "./support.ts";

/** An agent that leaves behind a process of another user, which the server has no right to end. */
const leavesSurvivors = (real: AgentConnection): AgentConnection =>
  but(real, {
    async stop() {
      await real.stop();
      await real.ended;
      throw new Fault("TIMEOUT", "Test Agent could not be stopped: 4711 still running");
    },
  });

test("the server keeps running when an idle agent leaves processes behind that cannot be ended", async () => {
  await using staged = await Staged.open({
    agent: "echo",
    settings: { idleAfterMs: 50 },
    connection: leavesSurvivors,
  });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  const rested = await staged.when(id, ({ lastTurn, connection }) =>
    Boolean(lastTurn?.ok && connection.status === "idle"),
  );
  expect(rested.state).toBe("idle");
  expect(staged.logged).toContainEqual({ level: "error", message: "An agent left processes behind" });
  await staged.send(id, "and again");
  await staged.when(id, ({ run, lastTurn }) => run === 2 && lastTurn?.ok === true);
});

/** An agent that the server cannot end until it is killed by hand. */
function unendable() {
  const pids: number[] = [];
  let isHeld = true;
  const connection = (real: AgentConnection): AgentConnection => {
    pids.push(real.pid);
    return but(real, {
      async stop() {
        if (isHeld) throw new Fault("TIMEOUT", "Test Agent could not be stopped: 4711 still running");
        await real.stop();
      },
    });
  };
  const endByHand = (): void => {
    isHeld = false;
    for (const pid of pids) process.kill(pid, "SIGKILL");
  };
  return { connection, endByHand };
}

test("a session whose agent cannot be ended says so, and continues once its processes are gone", async () => {
  const { connection, endByHand } = unendable();
  await using staged = await Staged.open({ agent: "stays-silent", connection });
  const { sessions } = staged.service;
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await staged.when(
    id,
    (session) => session.connection.status === "connected" && session.state === "running",
  );
  granted(await sessions.stop(id));
  const next = "End them yourself: the session is stopped as soon as they are gone.";
  const reason = { code: "TIMEOUT", message: `Test Agent could not be stopped: 4711 still running. ${next}` };
  const unended = await staged.when(id, (session) => session.reason !== undefined);
  expect(unended).toMatchObject({ state: "stopping", reason, connection: { status: "connected" } });
  expect(await sessions.remove(id, { force: false })).toMatchObject({
    ok: false,
    error: {
      code: "UNSUPPORTED",
      message: `${reason.message} Try again.`,
      facts: { what: "delete", fault: "TIMEOUT" },
    },
  });
  await staged.send(id, "for later");
  endByHand();
  const resumed = await staged.when(id, ({ run, state }) => run === 2 && state === "running");
  expect(resumed.reason).toBeUndefined();
  granted(await sessions.remove(id, { force: false }));
});

test("a server that stops its agents on exit still exits if one of them cannot be ended", async () => {
  const { connection, endByHand } = unendable();
  await using staged = await Staged.open({ agent: "echo", connection });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  await staged.close({ stopAgents: true });
  expect(staged.logged).toContainEqual({ level: "error", message: "Could not stop an agent" });
  endByHand();
});

test("a message that arrives while an idle agent cannot be ended goes to that agent", async () => {
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const connection = (real: AgentConnection): AgentConnection =>
    but(real, {
      async stop() {
        asked.resolve();
        await given.promise;
        throw new Fault("TIMEOUT", "Test Agent could not be stopped: 4711 still running");
      },
    });
  await using staged = await Staged.open({ agent: "echo", settings: { idleAfterMs: 50 }, connection });
  const { id } = await staged.create();
  await staged.send(id, "hello");
  await asked.promise;
  const { turnId } = await staged.send(id, "and again");
  given.resolve();
  const { run } = await staged.when(id, ({ lastTurn }) => lastTurn?.id === turnId && lastTurn?.ok === true);
  expect(run).toBe(1);
});

test("an interaction that times out while the store is full expires once there is room", async () => {
  let isFull = false;
  let refusals = 0;
  const store = (real: Store): Store =>
    but(real, {
      append(append) {
        const has = (wanted: string) => append.events.some(({ type }) => type === wanted);
        if (isFull) {
          if (has("interaction_resolved")) refusals += 1;
          return Promise.reject(new StoreError("STORAGE_FULL", "The disk is full"));
        }
        // Full only after the request is stored; otherwise it could time out before the test sees it.
        isFull = has("approval_required");
        return real.append(append);
      },
    });
  await using staged = await Staged.open({
    agent: "asks-permission",
    settings: { interactionTimeoutMs: 300 },
    store,
  });
  const { id } = await staged.create();
  await staged.send(id, "please");
  await until(() => refusals > 0, { what: "the store refuses that it expires" });
  isFull = false;
  await staged.when(id, ({ openInteractions }) => openInteractions === 0);
  const [settled] = await staged.service.interactions.list({ state: "resolved", sessionId: id });
  expect(settled?.resolution).toBe("expired");
});

test("an agent is reattached even if the store is busy when its answer is delivered", async () => {
  const home = await tempDir();
  const before = await Staged.open({
    agent: "asks-permission",
    home,
    connection: (real) =>
      but(real, { answer: () => Promise.reject(new Fault("AGENT_UNREACHABLE", "It does not listen")) }),
  });
  const { id } = await before.create();
  await before.send(id, "please");
  await before.when(id, ({ openInteractions }) => openInteractions === 1);
  const [asked] = await before.service.interactions.list({ state: "open", sessionId: id });
  const approval = { toolCallId: asked?.toolCallId ?? "", scope: "once" } as const;
  granted(await before.service.interactions.approve(id, approval, { by: "api" }));
  await before.close();

  let refusals = 0;
  const store = (real: Store): Store =>
    but(real, {
      append(append) {
        const isDelivered = Object.keys(append.session.row.runtime.pending).length === 0;
        if (!isDelivered || refusals === 5) return real.append(append);
        refusals += 1;
        return Promise.reject(new StoreError("STORE_BUSY", "Another program holds the database"));
      },
    });
  await using after = await Staged.open({ agent: "asks-permission", home, store });
  await (await after.engine.recover()).attached;
  const { run, lastTurn, connection } = await after.when(id, ({ turn }) => turn === undefined);
  expect({ run, ok: lastTurn?.ok, refusals }).toEqual({ run: 1, ok: true, refusals: 5 });
  expect(connection.status).toBe("connected");
  expect(after.logged.map(({ message }) => message)).not.toContain("Could not reattach to an agent");
});

test("H8 output that cannot be recorded ends its turn and its agent, and the session continues", async () => {
  const store = (real: Store): Store =>
    but(real, {
      append(append) {
        if (append.session.row.runtime.run === 1 && append.events.some(({ type }) => type === "text_delta")) {
          return Promise.reject(new RangeError("Maximum call stack size exceeded"));
        }
        return real.append(append);
      },
    });
  await using staged = await Staged.open({ agent: "echo", store });
  const { id } = await staged.create();
  await staged.send(id, "first");
  await staged.send(id, "hello");
  const { run } = await staged.when(id, ({ lastTurn }) => lastTurn?.ok === true);
  expect(run).toBe(2);
  const events = await staged.store.events(id, 0, 1 << 20);
  const endings = events.filter(({ type }) => type === "done").map(({ data }) => JSON.parse(data));
  expect(endings).toMatchObject([
    { ok: false, reason: "error", error: { code: "AGENT_PROTOCOL" } },
    { ok: true },
  ]);
  expect(staged.logged).toContainEqual({
    level: "error",
    message: "Could not record an agent's output",
  });
});
