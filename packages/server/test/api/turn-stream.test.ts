import type { EventBody } from "@drover/core";
import { describe, expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi, type TestApi, token } from "./harness.ts";

const text = (itemId: string, words: string): EventBody => ({ type: "text_delta", itemId, text: words });
const done = (turnId: string): EventBody => ({
  ...{ type: "done", turnId, reason: "end_turn", ok: true, partial: false },
});
const headers = { authorization: `Bearer ${token}` };

describe("a message sent with a stream of its turn", () => {
  const post = (api: TestApi, id: string, content: string) =>
    fetch(`${api.url}/api/sessions/${id}/messages`, {
      method: "POST",
      body: JSON.stringify({ content }),
      headers: { ...headers, accept: "text/event-stream" },
    });
  /** The event numbers of each frame after the receipt. */
  const stretchesOf = (body: string) =>
    [...body.matchAll(/"seq":(\d+),"from":(\d+)/g)].map(([, seq, from]) => [Number(from), Number(seq)]);
  const typesOf = (body: string) => [...body.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);

  test("gets its receipt, only the frames of its turn, and the end after done", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    api.service.append(id, [text("i0", "before")]);
    const response = await post(api, id, "hello");
    expect(response.status).toBe(200);
    const { turn } = api.service.must(id).state;
    const turnId = turn?.id ?? "";
    api.service.append(id, [
      { ...text("i1", `speaks of ${turnId}`), turnId: "trn_other" },
      { ...text("i2", "mine"), turnId },
    ]);
    api.service.append(id, [done(turnId), text("i3", "later")]);
    const body = await response.text();
    expect(typesOf(body)).toEqual(["receipt", "turn_start", "message", "text_delta", "done"]);
    expect(body).toContain('"text":"mine"');
    expect(stretchesOf(body), "no gap, although a frame was left out").toEqual([
      [2, 2],
      [3, 3],
      [4, 5],
      [6, 6],
    ]);
    expect(JSON.parse(/event: receipt\ndata: (.*)/.exec(body)?.[1] ?? "")).toMatchObject({
      turnId,
      cursor: 1,
    });
  });

  test("waits in the queue as long as needed, and follows the turn it becomes", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    await api.service.sessions.send(
      id,
      { content: "first", disposition: "queue", strict: false },
      { by: "api" },
    );
    const first = api.service.must(id).state.turn?.id ?? "";
    const response = await post(api, id, "second");
    const [waiting] = api.service.must(id).state.queue;
    api.service.append(id, [{ ...text("i1", "not mine"), turnId: first }, done(first)]);
    const start: EventBody = {
      type: "turn_start",
      turnId: "trn_2",
      messageId: waiting?.messageId ?? "",
      lockedBy: "api",
    };
    api.service.append(id, [{ type: "queue_update", paused: false, messages: [] }, start]);
    api.service.append(id, [{ ...text("i2", "mine"), turnId: "trn_2" }, done("trn_2")]);
    const body = await response.text();
    expect(typesOf(body)).toEqual(["receipt", "turn_start", "text_delta", "done"]);
    expect(body).not.toContain("not mine");
    expect(stretchesOf(body)[0]).toEqual([3, 7]);
  });

  test("ends when the message is removed from the queue, or its session is deleted", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    await api.service.sessions.send(
      id,
      { content: "first", disposition: "queue", strict: false },
      { by: "api" },
    );
    const dropped = await post(api, id, "second");
    const [waiting] = api.service.must(id).state.queue;
    await api.service.sessions.dropQueued(id, waiting?.messageId ?? "");
    expect(typesOf(await dropped.text())).toEqual(["receipt"]);
    const deleted = await post(api, id, "third");
    await api.service.sessions.remove(id, { force: false });
    expect(typesOf(await deleted.text())).toEqual(["receipt"]);
  });

  test("is refused like any other, as JSON", async () => {
    await using api = await startApi();
    const response = await post(api, "no-such-one", "hello");
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: "NOT_FOUND" });
  });

  test("L5 that loses its client does not stop the turn", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const response = await post(api, id, "hello");
    await response.body?.cancel();
    await until(() => api.service.must(id).listeners.size === 0, { what: "no client follows" });
    expect(api.service.must(id).state.turn).toBeDefined();
    expect(api.service.calls).toEqual(["create", "send"]);
  });
});
