import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { api as client } from "../../../../test/kit/http.ts";
import { FakeService } from "./fake-service.ts";
import { newSession, raw, startApi, type TestApi, token } from "./harness.ts";

let api: TestApi;
/** The keys of receipts that were stored separately, and not with their command. */
const saved: string[] = [];
beforeAll(async () => {
  const service = new FakeService();
  api = await startApi({
    service,
    receipts: {
      receipt: async (key) => service.receipts.get(key),
      saveReceipt: async (receipt) => {
        saved.push(receipt.key);
        service.receipts.set(receipt.key, receipt);
      },
    },
  });
});
afterAll(() => api.api.close());

let keys = 0;
const post = (path: string, body: unknown, key: string) =>
  raw(api.port, path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, "idempotency-key": key },
  });

describe("an Idempotency-Key", () => {
  test("repeats the answer byte for byte, status included, and acts once", async () => {
    const key = `key-${keys++}`;
    api.service.calls.length = 0;
    const first = await post("/api/sessions", { agent: "demo", cwd: "/home/me" }, key);
    const again = await post("/api/sessions", { agent: "demo", cwd: "/home/me" }, key);
    expect(first.status).toBe(201);
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(api.service.calls).toEqual(["create"]);
  });

  test("works on every POST, also for answers that the service does not store itself", async () => {
    const key = `key-${keys++}`;
    api.service.calls.length = 0;
    const first = await post("/api/projects", { path: "/home/me/p" }, key);
    const again = await post("/api/projects", { path: "/home/me/p" }, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(api.service.calls).toEqual(["projects.add"]);
  });

  test("repeats a domain refusal, too", async () => {
    const key = `key-${keys++}`;
    const taken = { agent: "demo", cwd: "/home/me", name: `name-${key}` };
    await post("/api/sessions", taken, `key-${keys++}`);
    const first = await post("/api/sessions", taken, key);
    api.service.known.length = 0;
    expect(first.json).toMatchObject({ code: "NAME_TAKEN" });
    expect((await post("/api/sessions", taken, key)).body).toBe(first.body);
  });

  test("with another body or another path is a conflict", async () => {
    const key = `key-${keys++}`;
    await post("/api/sessions", { agent: "demo", cwd: "/home/me" }, key);
    const other = await post("/api/sessions", { agent: "demo", cwd: "/home/you" }, key);
    expect(other).toMatchObject({ status: 409, json: { code: "IDEMPOTENCY_CONFLICT" } });
    const path = await post("/api/projects", { agent: "demo", cwd: "/home/me", path: "/x" }, key);
    expect(path.status).not.toBe(201);
  });

  test("sent many times at once acts once and gives all the same answer", async () => {
    const key = `key-${keys++}`;
    api.service.calls.length = 0;
    const body = { agent: "demo", cwd: "/home/me" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("/api/sessions", body, key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.body}`)).size).toBe(1);
    expect(api.service.calls).toEqual(["create"]);
  });

  test("does not store an internal error", async () => {
    const key = `key-${keys++}`;
    const body = { agent: "demo", cwd: "/home/me" };
    const create = api.service.sessions.create;
    Object.assign(api.service.sessions, { create: () => Promise.reject(new Error("broken")) });
    expect((await post("/api/sessions", body, key)).status).toBe(500);
    Object.assign(api.service.sessions, { create });
    expect((await post("/api/sessions", body, key)).status).toBe(201);
  });

  test("on a message is stored with the message, which is accepted once, also as a stream", async () => {
    const session = await newSession(api);
    const key = `key-${keys++}`;
    const first = await post(`/api/sessions/${session}/messages`, { content: "hello" }, key);
    expect(first.status).toBe(202);
    expect(saved).not.toContain(`http:${key}`);
    const again = await post(`/api/sessions/${session}/messages`, { content: "hello" }, key);
    expect(again.body).toBe(first.body);
    expect(api.service.must(session).log.filter(({ type }) => type === "turn_start")).toHaveLength(1);
    const stream = await fetch(`${api.url}/api/sessions/${session}/messages`, {
      method: "POST",
      body: JSON.stringify({ content: "hello" }),
      headers: { authorization: `Bearer ${token}`, "idempotency-key": key, accept: "text/event-stream" },
    });
    expect(stream.status).toBe(200);
    const turnId = String(first.json["turnId"]);
    api.service.append(session, [{ type: "done", turnId, reason: "end_turn", ok: true, partial: false }]);
    const text = await stream.text();
    expect(text).toContain(`"messageId":"${first.json["messageId"]}"`);
    expect(text).toContain("event: done");
  });

  test("has a limited length", async () => {
    for (const key of ["x".repeat(201), "with space"]) {
      expect((await post("/api/sessions", { agent: "demo", cwd: "/x" }, key)).json).toMatchObject({
        code: "BAD_REQUEST",
      });
    }
  });
});

test("the same clientMessageId gets the same receipt; a different text is a conflict", async () => {
  const session = await newSession(api);
  const { ask } = client(api);
  const send = (content: string) =>
    ask("POST", `/api/sessions/${session}/messages`, { body: { content, clientMessageId: "c1" } });
  const first = await send("one");
  expect(await send("one")).toMatchObject({ status: 202, body: first.body });
  expect(await send("two")).toMatchObject({ status: 409, body: { code: "IDEMPOTENCY_CONFLICT" } });
});
