import type { EventBody } from "@drover/core";
import { describe, expect, test } from "vitest";
import { openSocket, type SocketFrame } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi, token } from "./harness.ts";

const text = (itemId: string, words: string, turnId = "trn_1"): EventBody => ({
  ...{ type: "text_delta", itemId, text: words },
  turnId,
});
const done: EventBody = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };
const events = (frames: readonly SocketFrame[], sessionId?: string) =>
  frames.filter((f) => f.type === "session:event" && (!sessionId || f["sessionId"] === sessionId));
const seqs = (frames: readonly SocketFrame[]) => frames.map((frame) => frame["seq"]);

describe("an opened session", () => {
  test("sends its history, then every event, until it is closed; other sockets get none of it", async () => {
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

  test("S1 with a cursor continues right after it, without entries", async () => {
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

  test("with an unknown cursor starts over", async () => {
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

  test("is released when the socket closes", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const socket = await openSocket(api);
    await socket.request("session:open", { sessionId: id });
    await socket.close();
    await until(() => api.service.must(id).listeners.size === 0);
  });

  test("that does not exist is an error", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    for (const sessionId of ["no-such-one", "ses_00000000000000000000000000", "Not a name"]) {
      const answer = await socket.request("session:open", { sessionId });
      expect(answer).toMatchObject({ type: "error", code: "NOT_FOUND", what: "session", sessionId });
    }
  });
});

describe("every socket is notified", () => {
  test("when a turn starts or ends, an agent's state changes, or a session is archived", async () => {
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
    api.service.publish("agent:spawned", { sessionId: id });
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

  test("when a session is archived over HTTP", async () => {
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

  test("of every session and interaction, as in the feed, whatever it has opened", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    await using other = await openSocket(api);
    await Promise.all([socket, other].map((one) => one.request("project:list")));
    const announcements = [
      ["session_upserted", { session: { id: "ses_a", state: "waiting_for_input" } }],
      [
        "interaction_opened",
        { interaction: { id: "int_a", sessionId: "ses_a", input: { command: "make" } } },
      ],
      ["interaction_resolved", { interactionId: "int_a", resolution: "approved", by: "cli" }],
      ["session_removed", { sessionId: "ses_a" }],
    ] as const;
    for (const [type, facts] of announcements) api.service.publish(type, facts);
    for (const one of [socket, other]) {
      await one.until((frame) => frame.type === "session_removed");
      expect(one.frames.filter((frame) => frame.requestId === undefined)).toEqual(
        announcements.map(([type, facts], index) => ({
          type,
          seq: api.service.feed.last - 3 + index,
          ...facts,
        })),
      );
    }
  });
});
