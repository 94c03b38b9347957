import { describe, expect, test } from "vitest";
import { follow } from "../../../../test/kit/events.ts";
import { sseBlocks } from "../../../../test/kit/sse.ts";
import { until } from "../../../../test/kit/until.ts";
import { firstFrames, text } from "./event-frames.ts";
import { bearer, newSession, startApi } from "./harness.ts";

describe("an event stream", () => {
  test("starts with a snapshot if the client has no cursor, and continues right after it", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b")]);
    await using client = follow(() => api, id);
    await until(() => client.snapshots.length === 1);
    expect(client.snapshots[0]).toMatchObject({
      seq: 2,
      items: [{ id: "i1", text: "ab" }],
      interactions: [],
    });
    expect(client.snapshots[0]).not.toHaveProperty("reset");
    expect(client.snapshots[0]).not.toHaveProperty("from");
    api.service.append(id, [text("i1", "c")]);
    expect(await client.until((event) => event.seq === 3)).toMatchObject({
      from: 3,
      text: "c",
      sessionId: id,
    });
  });

  test("is the same by name as by id", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    const [frame] = await firstFrames(api, {
      path: `/api/sessions/${api.service.must(id).name}/events?after=0`,
      count: 1,
    });
    expect(frame).toMatchObject({ id: "1", event: "text_delta", data: { sessionId: id, from: 1, seq: 1 } });
  });

  test("with a cursor has no snapshot; the header takes precedence over the query; 0 is the beginning", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b"), text("i1", "c")]);
    const path = `/api/sessions/${id}/events`;
    expect((await firstFrames(api, { path: `${path}?after=0`, count: 3 })).map((frame) => frame.id)).toEqual([
      "1",
      "2",
      "3",
    ]);
    const [first] = await firstFrames(api, { path: `${path}?after=0`, count: 1, lastEventId: "2" });
    expect(first?.id).toBe("3");
  });

  test("with an unknown cursor starts over with a snapshot that says so", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    for (const after of ["2", "99999999999999999999", "-1", "1.5", "abc", "0x1"]) {
      const [frame] = await firstFrames(api, { path: `/api/sessions/${id}/events?after=${after}`, count: 1 });
      expect(frame, after).toMatchObject({ id: "1", event: "snapshot", data: { seq: 1, reset: true } });
    }
    const empty = await newSession(api);
    const [frame] = await firstFrames(api, { path: `/api/sessions/${empty}/events`, count: 1 });
    expect(frame).toMatchObject({ id: "0", event: "snapshot", data: { seq: 0 } });
  });

  test("with a cursor inside a joined range says where the rest starts", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a"), text("i1", "b"), text("i1", "c"), text("i2", "d")]);
    api.service.must(id).compact(1, 3);
    const frames = await firstFrames(api, { path: `/api/sessions/${id}/events?after=2`, count: 2 });
    expect(frames[0]).toMatchObject({
      id: "3",
      event: "item",
      data: { from: 3, seq: 3, item: { text: "abc" } },
    });
    expect(frames[1]).toMatchObject({ id: "4", data: { from: 4 } });
  });

  test("of a missing session is an error before the stream starts", async () => {
    await using api = await startApi();
    const response = await fetch(`${api.url}/api/sessions/no-such-one/events`, { headers: bearer });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND", what: "session" });
  });

  test("of a deleted session can still be read by id", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i1", "a")]);
    await api.service.sessions.remove(id, { force: false });
    expect(await firstFrames(api, { path: `/api/sessions/${id}/events?after=0`, count: 1 })).toMatchObject([
      { id: "1" },
    ]);
    expect((await fetch(`${api.url}/api/sessions/${id}/events`, { headers: bearer })).status).toBe(404);
  });

  test("S9 sends every client heartbeats and the reconnect delay", async () => {
    await using api = await startApi({ streams: { heartbeat: 20 } });
    const id = await newSession(api);
    const response = await fetch(`${api.url}/api/sessions/${id}/events`, { headers: bearer });
    if (!response.body) throw new Error("no body");
    const seen: string[] = [];
    for await (const block of sseBlocks(response.body)) {
      seen.push(block.retry ? `retry ${block.retry}` : (block.comment ?? block.event ?? ""));
      if (seen.length === 5) break;
    }
    expect(seen).toEqual(["retry 1000", "snapshot", "hb", "hb", "hb"]);
  });
});

describe("the feed of all sessions", () => {
  test("starts with its current position, continues live, and can be resumed", async () => {
    await using api = await startApi();
    api.service.publish("agent:status", { sessionId: "a" });
    const response = await fetch(`${api.url}/api/events`, { headers: bearer });
    if (!response.body) throw new Error("no body");
    const blocks = sseBlocks(response.body);
    await blocks.next();
    const snapshot = (await blocks.next()).value;
    expect(snapshot).toMatchObject({ id: "1001", event: "snapshot" });
    expect(JSON.parse(snapshot?.data ?? "")).toEqual({ type: "snapshot", seq: 1001 });
    api.service.publish("session_upserted", { session: {} });
    expect((await blocks.next()).value).toMatchObject({ id: "1002", event: "session_upserted" });
    await blocks.return(undefined);
    const [missed] = await firstFrames(api, { path: "/api/events?after=1000", count: 1 });
    expect(missed).toMatchObject({ id: "1001", event: "agent:status", data: { sessionId: "a" } });
    for (const after of ["999", "1003", "x"]) {
      const [reset] = await firstFrames(api, { path: `/api/events?after=${after}`, count: 1 });
      expect(reset, after).toMatchObject({ event: "snapshot", data: { seq: 1002, reset: true } });
    }
  });
});
