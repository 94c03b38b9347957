// Repeated messages and requests take effect once, whether they arrive together, later or after a crash.
import type { Receipt, Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ofType } from "../kit/events.ts";
import { bearer } from "../kit/http.ts";
import { openSocket } from "../kit/socket.ts";
import { frameOf, readBlocks } from "./frames.ts";
import { openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig[Symbol.asyncDispose]());

/** The raw bytes of the response. */
async function raw(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(new URL(path, rig.server.url), {
    method: "POST",
    headers: { ...bearer(rig.server), ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test("L12 a repeated message, at once or later, is accepted once and gets the same receipt", async () => {
  await using session = await openSession(rig, "demo");
  const message = { content: "say once", clientMessageId: "mine-1" };
  const send = (body: unknown) => raw(session.path("/messages"), body);
  const answers = await Promise.all(Array.from({ length: 5 }, () => send(message)));
  const done = await session.follower.until(ofType("done"));
  answers.push(await send(message));
  await rig.server.kill9();
  await rig.start();
  answers.push(await send(message));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  const receipt = JSON.parse(answers[0]?.text ?? "") as Receipt;
  expect(receipt).toMatchObject({ clientMessageId: "mine-1", applied: "started", turnId: done.turnId });

  await using socket = await openSocket(rig.server);
  const again = await socket.request("session:send", { sessionId: session.id, ...message });
  expect(again).toMatchObject({ type: "session:accepted", receipt });
  const stream = await readBlocks(rig.server, session.path("/messages"), {
    method: "POST",
    headers: { accept: "text/event-stream" },
    body: message,
  });
  const frames = stream.flatMap((block) => frameOf(block) ?? []);
  expect(frames[0]).toEqual({ type: "receipt", ...receipt });
  expect(frames.at(-1)).toEqual(done);

  // Different content makes it another message; different delivery options do not.
  expect(await send({ ...message, disposition: "steer" })).toEqual(answers[0]);
  const other = await send({ ...message, content: "say twice" });
  expect(other).toMatchObject({ status: 409, text: expect.stringContaining("IDEMPOTENCY_CONFLICT") });
  await session.turn("say end");
  expect(session.follower.text()).toBe("once\nend\n");
});

test("L12 requests with the same Idempotency-Key create one session and get the same response", async () => {
  const body = { agent: "demo", cwd: `${rig.home}/work`, title: "keyed" };
  const create = (fields = {}) => raw("/api/sessions", { ...body, ...fields }, { "idempotency-key": "k1" });
  const answers = await Promise.all([create(), create(), create()]);
  answers.push(await create());
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect(await create({ title: "another" })).toMatchObject({ status: 409 });
  const { sessions } = await rig.client.get<{ sessions: Session[] }>("/api/sessions?limit=200");
  expect(sessions.filter(({ title }) => title === "keyed")).toHaveLength(1);
});

test("L12 an Idempotency-Key on a message, an approval or a refused request repeats the first response", async () => {
  await using session = await openSession(rig, "demo");
  const twice = async (path: string, body: unknown, key: string) => {
    const first = await raw(path, body, { "idempotency-key": key });
    expect(await raw(path, body, { "idempotency-key": key })).toEqual(first);
    return first;
  };
  expect(await twice(session.path("/messages"), { content: "run echo x >> once" }, "m1")).toMatchObject({
    status: 202,
  });
  const { toolCallId } = await session.follower.until(ofType("approval_required"));
  expect(await twice(session.path("/approve"), { toolCallId: "none" }, "a0")).toMatchObject({ status: 404 });
  // Without the key, the second would be refused because of the first.
  expect(await twice(session.path("/approve"), { toolCallId }, "a1")).toMatchObject({ status: 200 });
  await session.follower.until(ofType("done"));
  expect(session.all("turn_start")).toHaveLength(1);
  expect(await raw(session.path("/approve"), { toolCallId }, { "idempotency-key": "m1" })).toMatchObject({
    status: 409,
    text: expect.stringContaining("IDEMPOTENCY_CONFLICT"),
  });
});

test("L12 an Idempotency-Key adds no clientMessageId, and is shared by streamed and plain requests of one intent", async () => {
  await using session = await openSession(rig, "demo");
  const path = session.path("/messages");
  const headers = { "idempotency-key": "s1" };
  const stream = async (body: unknown) => {
    const request = { method: "POST", headers: { ...headers, accept: "text/event-stream" }, body };
    return (await readBlocks(rig.server, path, request)).flatMap((block) => frameOf(block) ?? []);
  };
  const message = { content: "say one" };
  const [first, ...others] = await Promise.all([stream(message), stream(message), stream(message)]);
  for (const other of others) expect(other).toEqual(first);
  expect(first?.at(-1)).toMatchObject({ type: "done" });
  expect(first?.[0]).toMatchObject({ type: "receipt" });
  expect(first?.[0]).not.toHaveProperty("clientMessageId");
  const answer = await raw(path, message, headers);
  expect(answer.status).toBe(202);
  expect({ type: "receipt", ...JSON.parse(answer.text) }).toEqual(first?.[0]);
  expect(await raw(path, message, headers)).toEqual(answer);

  // Only the key decides, whatever id the message has.
  const other = { content: "say two", clientMessageId: "mine" };
  expect(await raw(path, other, headers)).toMatchObject({ status: 409 });
  const accept = { accept: "text/event-stream" };
  expect(await raw(path, other, { ...headers, ...accept })).toMatchObject({ status: 409 });
  expect(await raw(path, other, { "idempotency-key": "s2", ...accept })).toMatchObject({ status: 200 });
  expect(await raw(path, { content: "say three" }, { "idempotency-key": "s2" })).toMatchObject({
    status: 409,
  });
  await session.turn("say end");
  expect(session.follower.text()).toBe("one\ntwo\nend\n");
});
