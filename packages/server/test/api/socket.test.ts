import { once } from "node:events";
import { connect } from "node:net";
import type { EventBody, Item } from "@drover/core";
import { describe, expect, test } from "vitest";
import { openSocket, type SocketFrame } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import { socketMessages } from "../../src/api/ws/messages.ts";
import { newSession, startApi, type TestApi, token } from "./harness.ts";

const text = (itemId: string, words: string, turnId = "trn_1"): EventBody => ({
  ...{ type: "text_delta", itemId, text: words },
  turnId,
});
const done: EventBody = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };
const events = (frames: readonly SocketFrame[], sessionId?: string) =>
  frames.filter((f) => f.type === "session:event" && (!sessionId || f["sessionId"] === sessionId));
const seqs = (frames: readonly SocketFrame[]) => frames.map((frame) => frame["seq"]);

describe("S13 a requestId", () => {
  const arguments_: Record<string, Record<string, unknown>> = {
    "session:create": { agent: "demo", cwd: "/home/me" },
    "session:send": { content: "hello" },
    "session:approve": { toolCallId: "x" },
    "session:deny": { toolCallId: "x" },
    "session:answer": { toolCallId: "x", answers: {} },
    "project:add": { path: "/home/me/p" },
    "project:remove": { projectId: "prj_x" },
  };
  const answers: Record<string, string> = {
    "session:create": "session:created",
    "session:open": "session:history",
    "session:send": "session:accepted",
    "session:list": "session:list",
    "project:list": "project:list",
    "project:add": "project:added",
    // There is nothing to decide and no such project: their errors carry it as well.
    "session:approve": "error",
    "session:deny": "error",
    "session:answer": "error",
    "project:remove": "error",
  };

  test.each(Object.keys(socketMessages))("is on the answer to %s and on its errors", async (type) => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    const isOfSession = type.startsWith("session:") && !["session:create", "session:list"].includes(type);
    const fields = { ...(isOfSession ? { sessionId: id } : {}), ...arguments_[type] };
    const answer = await socket.request(type, fields);
    expect(answer.type).toBe(answers[type] ?? "ok");
    const refused = await socket.request(type, { ...fields, unheardOf: true });
    expect(refused).toMatchObject({ type: "error", code: "BAD_REQUEST", issues: [{ path: "unheardOf" }] });
    if (isOfSession) expect(refused["sessionId"]).toBe(id);
  });

  test("is found in what is no JSON, no message and no object, where one can be read", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const sent: [string, unknown][] = [
      ['{"type":"session:list","requestId":"a1",}', "a1"],
      ['{"requestId" : "a\\"2", "type":', 'a"2'],
      ['{"requestId":3,"type":"session:list"', 3],
      ['{"requestId":"a4","type":"no:such"}', "a4"],
      ['{"requestId":"a5"}', "a5"],
      ['{"requestId":"a6","type":"session:send","sessionId":"x","content":"\\u0000"}', "a6"],
      ['{"requestId":{"an":"object"},"type":"session:list"}', undefined],
      ["[]", undefined],
      ["nonsense", undefined],
      ['"requestId"', undefined],
    ];
    for (const [frame] of sent) socket.sendText(frame);
    await until(() => socket.frames.length === sent.length);
    expect(socket.frames.map(({ requestId }) => requestId)).toEqual(sent.map(([, requestId]) => requestId));
    for (const frame of socket.frames) {
      expect(frame.type).toBe("error");
      expect(["BAD_REQUEST", "INVALID_CHARACTER"]).toContain(frame["code"]);
    }
    expect(await socket.request("project:list")).toMatchObject({ type: "project:list", projects: [] });
  });

  test("tells concurrent answers apart", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const names = Array.from({ length: 40 }, (_, i) => `session-${i}`);
    const made = await Promise.all(
      names.map((name) => socket.request("session:create", { cliType: "demo", cwd: "/home/me", name })),
    );
    expect(made.map((frame) => (frame["session"] as { name: string }).name)).toEqual(names);
  });
});

describe("a session that was opened", () => {
  test("sends its history, then every event, until it is closed; others hear nothing of it", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    await using other = await openSocket(api);
    const [id, quiet] = [await newSession(api), await newSession(api)];
    api.service.append(id, [text("i1", "a"), text("i1", "b")]);
    const history = await socket.request("session:open", { sessionId: api.service.must(id).name });
    expect(history).toMatchObject({
      ...{ type: "session:history", sessionId: id, cursor: 2, interactions: [] },
      entries: [{ id: "i1", text: "ab", status: "open" }],
      queue: { paused: false, messages: [] },
    });
    api.service.append(id, [text("i1", "c"), done]);
    api.service.append(quiet, [text("i9", "unheard")]);
    await socket.until((frame) => frame["seq"] === 4);
    expect(events(socket.frames)).toEqual([
      {
        type: "session:event",
        sessionId: id,
        seq: 3,
        from: 3,
        event: expect.objectContaining({ text: "c" }),
      },
      {
        type: "session:event",
        sessionId: id,
        seq: 4,
        from: 4,
        event: expect.objectContaining({ type: "done" }),
      },
    ]);
    expect(await socket.request("session:close", { sessionId: id })).toMatchObject({ type: "ok" });
    api.service.append(id, [text("i2", "unheard")]);
    await socket.request("project:list");
    expect(seqs(events(socket.frames))).toEqual([3, 4]);
    expect(events(other.frames)).toEqual([]);
  });

  test("S1 with a cursor goes on right after it, without entries", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b"), text("i1", "c")]);
    const history = await socket.request("session:open", { sessionId: id, after: 1 });
    expect(history).toMatchObject({ cursor: 1, entries: [] });
    api.service.append(id, [text("i1", "d")]);
    await socket.until((frame) => frame["seq"] === 4);
    expect(events(socket.frames).map((f) => [f["from"], f["seq"]])).toEqual([
      [2, 2],
      [3, 3],
      [4, 4],
    ]);
  });

  test("with a cursor that was never given out starts over", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    const history = await socket.request("session:open", { sessionId: id, after: 7 });
    expect(history).toMatchObject({ cursor: 1, reset: true, entries: [{ text: "a" }] });
  });

  test("twice starts over and sends nothing twice", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    await Promise.all([1, 2, 3].map(() => socket.request("session:open", { sessionId: id })));
    api.service.append(id, [text("i1", "a")]);
    await socket.until((frame) => frame["seq"] === 1);
    await socket.request("project:list");
    expect(seqs(events(socket.frames))).toEqual([1]);
    expect(api.service.must(id).listeners.size).toBe(1);
  });

  test("is let go of when the socket closes", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const socket = await openSocket(api);
    await socket.request("session:open", { sessionId: id });
    await socket.close();
    await until(() => api.service.must(id).listeners.size === 0);
  });

  test("that is not there is an error", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    for (const sessionId of ["no-such-one", "ses_00000000000000000000000000", "Not a name"]) {
      const answer = await socket.request("session:open", { sessionId });
      expect(answer).toMatchObject({ type: "error", code: "NOT_FOUND", what: "session", sessionId });
    }
  });
});

describe("a session as items", () => {
  const upserts = (frames: readonly SocketFrame[]) =>
    frames.filter((f) => f.type === "session:upsert").map((f) => f["item"] as Item);

  test("S14 sends whole items, so that dropping any of them still ends in the right text", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    api.service.append(id, [text("i1", "The ")]);
    const history = await socket.request("session:open", { sessionId: id, view: "items" });
    expect(history["entries"]).toMatchObject([{ id: "i1", text: "The ", status: "open" }]);
    let whole = "The ";
    for (let i = 0; i < 200; i++) {
      api.service.append(id, [text("i1", `w${i} `)]);
      whole += `w${i} `;
      if (i % 20 === 0) await new Promise(setImmediate);
    }
    api.service.append(id, [text("i2", "second"), done]);
    await until(() => upserts(socket.frames).filter(({ status }) => status === "complete").length === 2);
    const sent = upserts(socket.frames);
    for (let from = 0; from < sent.length - 2; from++) {
      const kept = [...sent.slice(0, from / 2), ...sent.slice(from)];
      const drawn = new Map(kept.map((item) => [item.id, item]));
      expect(drawn.get("i1")).toMatchObject({ text: whole, status: "complete", seq: 1 });
      expect(drawn.get("i2")).toMatchObject({ text: "second", status: "complete" });
    }
    expect(events(socket.frames)).toEqual([]);
  });

  test("sends a growing item at most twenty times a second, and once when it closes", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    await socket.request("session:open", { sessionId: id, view: "items" });
    const start = performance.now();
    let words = 0;
    while (performance.now() - start < 500) {
      api.service.append(id, [text("i1", "x")]);
      words++;
      await new Promise(setImmediate);
    }
    await until(() => upserts(socket.frames).at(-1)?.text?.length === words);
    const elapsed = performance.now() - start;
    const open = upserts(socket.frames).length;
    expect(open).toBeGreaterThan(5);
    expect(open).toBeLessThanOrEqual(Math.ceil(elapsed / 50) + 1);
    api.service.append(id, [done]);
    await until(() => upserts(socket.frames).at(-1)?.status === "complete");
    expect(upserts(socket.frames)).toHaveLength(open + 1);
  });

  test("S1 with a cursor sends whatever began or changed since, whole", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    const tool = { toolCallId: "c1", toolName: "run", kind: "execute", title: "run" } as const;
    api.service.append(id, [
      { type: "message", turnId: "trn_0", itemId: "u0", messageId: "m0", content: "old", by: "api" },
      { type: "message", turnId: "trn_1", itemId: "u1", messageId: "m1", content: "ask", by: "api" },
      { type: "tool_call_start", turnId: "trn_1", ...tool },
      text("i1", "half "),
    ]);
    const after = api.service.must(id).state.lastSeq;
    const items = Array.from(
      { length: 300 },
      (_, i): EventBody => ({
        ...{ type: "notice", turnId: "trn_1", code: "N", message: `${i}`, facts: {} },
      }),
    );
    api.service.append(id, [text("i1", "whole"), ...items]);
    api.service.append(id, [
      {
        type: "tool_result",
        turnId: "trn_1",
        toolCallId: "c1",
        toolName: "run",
        status: "complete",
        result: "r",
      },
    ]);
    const history = await socket.request("session:open", { sessionId: id, view: "items", after });
    expect(history).toMatchObject({ entries: [], cursor: after });
    api.service.append(id, [text("i3", "new"), done]);
    await until(() => upserts(socket.frames).at(-1)?.id === "i3");
    const drawn = new Map(upserts(socket.frames).map((item) => [item.id, item]));
    expect(drawn.get("i1")).toMatchObject({ text: "half whole" });
    expect(drawn.get("c1")).toMatchObject({ tool: { status: "complete", result: "r" } });
    expect([...drawn.values()].filter(({ kind }) => kind === "notice")).toHaveLength(300);
    expect(drawn.has("u0")).toBe(false);
  });
});

describe("every socket is told", () => {
  test("when a turn starts and ends, how agents stand, and which session was archived", async () => {
    await using api = await startApi();
    await using asking = await openSocket(api);
    await using other = await openSocket(api);
    const id = await newSession(api);
    const accepted = await asking.request("session:send", {
      sessionId: id,
      content: "hello",
      clientMessageId: "c",
    });
    const { turnId } = accepted["receipt"] as { turnId: string };
    expect(accepted).toMatchObject({
      type: "session:accepted",
      receipt: { sessionId: id, clientMessageId: "c" },
    });
    api.service.append(id, [{ ...done, turnId }]);
    api.service.publish("agent:status", { agent: "demo", cliType: "demo", sessionId: id, status: "idle" });
    api.service.publish("session_upserted", {});
    expect(await asking.request("session:archive", { sessionId: id })).toMatchObject({
      type: "ok",
      archived: true,
    });
    for (const socket of [asking, other]) {
      await socket.until((frame) => frame.type === "session:archived");
      expect(socket.frames.filter((frame) => frame.requestId === undefined)).toMatchObject([
        { type: "session:turn", sessionId: id, turnId, phase: "started" },
        { type: "session:turn", sessionId: id, turnId, phase: "ended", reason: "end_turn" },
        { type: "agent:status", sessionId: id, status: "idle" },
        { type: "session:archived", sessionId: id },
      ]);
    }
  });

  test("of what was archived over HTTP, too", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const id = await newSession(api);
    await fetch(`${api.url}/api/sessions/${id}`, {
      method: "PATCH",
      body: JSON.stringify({ archived: true }),
      headers: { authorization: `Bearer ${token}` },
    });
    await socket.until((frame) => frame.type === "session:archived" && frame["sessionId"] === id);
  });
});

/** A socket whose client reads nothing until it is told to, and answers no ping. */
async function deafSocket(api: TestApi) {
  const socket = connect(api.port, "127.0.0.1");
  socket.on("error", () => {});
  const head = [
    "GET /ws HTTP/1.1",
    `Host: 127.0.0.1:${api.port}`,
    `Authorization: Bearer ${token}`,
    ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "data");
  socket.pause();
  const send = (value: unknown) => {
    const payload = Buffer.from(JSON.stringify(value));
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  };
  return { socket, send };
}

describe("a socket", () => {
  test("S8 that does not keep up is closed with 4008; others are unaffected; its cursor brings it back", async () => {
    await using api = await startApi({ streams: { clientBuffer: 256 * 1024 } });
    await using good = await openSocket(api);
    const id = await newSession(api);
    const { socket: slow, send } = await deafSocket(api);
    send({ type: "session:open", sessionId: id });
    await good.request("session:open", { sessionId: id });
    await until(() => api.service.must(id).listeners.size === 2);
    const words = "x".repeat(1_000);
    for (let i = 1; i <= 200; i++) {
      api.service.append(
        id,
        Array.from({ length: 100 }, () => text(`i${i}`, words)),
      );
      await until(() => good.frames.at(-1)?.["seq"] === i * 100, { deadline: 20_000 });
    }
    expect(seqs(events(good.frames))).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
    expect(api.service.must(id).listeners.size).toBe(1);
    // A close frame with code 4008 is the last thing it reads.
    const closing = Buffer.from([0x88, 13, 0x0f, 0xa8, ...Buffer.from("slow client")]);
    let tail = Buffer.alloc(0);
    for await (const chunk of slow) {
      tail = Buffer.concat([tail, chunk]).subarray(-closing.length);
      if (tail.equals(closing)) break;
    }
    expect(tail).toEqual(closing);
    await using back = await openSocket(api);
    await back.request("session:open", { sessionId: id, after: 0 });
    await until(() => events(back.frames).length === 20_000, { deadline: 20_000 });
  });

  test("S8 that asks for more than it reads is not answered further until it reads", async () => {
    await using api = await startApi({ streams: { clientBuffer: 64 * 1024 } });
    const id = await newSession(api);
    api.service.append(id, [text("i1", "x".repeat(1_000_000))]);
    let asked = 0;
    const snapshot = api.service.sessions.snapshot;
    Object.assign(api.service.sessions, {
      snapshot: (session: string) => {
        asked++;
        return snapshot(session);
      },
    });
    const { socket, send } = await deafSocket(api);
    for (let i = 0; i < 150; i++) send({ type: "session:open", sessionId: id, requestId: i });
    await until(() => asked > 0);
    await using other = await openSocket(api);
    for (let i = 0; i < 50; i++) await other.request("project:list");
    expect(asked).toBeLessThan(100);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await until(() => asked === 150 && bytes > 150_000_000, { deadline: 25_000 });
    socket.destroy();
  });

  test("that answers no ping is dropped after two", async () => {
    await using api = await startApi({ streams: { heartbeat: 40 } });
    await using alive = await openSocket(api);
    const { socket } = await deafSocket(api);
    const start = performance.now();
    socket.resume();
    await once(socket, "close");
    expect(performance.now() - start).toBeGreaterThan(80);
    expect(await alive.request("project:list")).toMatchObject({ type: "project:list" });
  });

  test("with a frame over 16 MB is closed with 1009", async () => {
    await using api = await startApi();
    const socket = await openSocket(api);
    socket.sendText("x".repeat(16 * 1024 * 1024 + 1));
    expect(await socket.closed).toMatchObject({ code: 1009 });
  });

  test("of a browser names its client in the address, because it cannot set headers", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api, { "x-client-id": "tab-1" });
    const id = await newSession(api);
    await socket.request("session:send", { sessionId: id, content: "hello" });
    expect(api.service.must(id).state.turn?.lockedBy).toBe("tab-1");
  });
});
