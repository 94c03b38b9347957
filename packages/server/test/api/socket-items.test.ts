import type { EventBody, Item } from "@drover/core";
import { describe, expect, test } from "vitest";
import { openSocket, type SocketFrame } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi } from "./harness.ts";

const text = (itemId: string, words: string, turnId = "trn_1"): EventBody => ({
  ...{ type: "text_delta", itemId, text: words },
  turnId,
});
const done: EventBody = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };
const events = (frames: readonly SocketFrame[], sessionId?: string) =>
  frames.filter((f) => f.type === "session:event" && (!sessionId || f["sessionId"] === sessionId));
const _seqs = (frames: readonly SocketFrame[]) => frames.map((frame) => frame["seq"]);

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
    while (upserts(socket.frames).length < 6) {
      api.service.append(id, [text("i1", "x")]);
      words++;
      await new Promise(setImmediate);
    }
    await until(() => upserts(socket.frames).at(-1)?.text?.length === words);
    const elapsed = performance.now() - start;
    const open = upserts(socket.frames).length;
    expect(open).toBeLessThanOrEqual(Math.ceil(elapsed / 50) + 1);
    api.service.append(id, [done]);
    await until(() => upserts(socket.frames).at(-1)?.status === "complete");
    expect(upserts(socket.frames)).toHaveLength(open + 1);
  });

  test("S1 with a cursor sends every item that started or changed since, in full", async () => {
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
    expect([...drawn.values()].find(({ kind }) => kind === "tool")).toMatchObject({
      tool: { toolCallId: "c1", status: "complete", result: "r" },
    });
    expect([...drawn.values()].filter(({ kind }) => kind === "notice")).toHaveLength(300);
    expect(drawn.has("u0")).toBe(false);
  });

  test("S8 with a cursor may send more at once than a live client may leave unread", async () => {
    await using api = await startApi({ streams: { clientBuffer: 64 * 1024 } });
    await using socket = await openSocket(api);
    const id = await newSession(api);
    for (let i = 0; i < 50; i++) api.service.append(id, [text(`i${i}`, "x".repeat(100_000))]);
    await socket.request("session:open", { sessionId: id, view: "items", after: 0 });
    await until(() => upserts(socket.frames).length === 50);
    api.service.append(id, [done]);
    await until(() => upserts(socket.frames).at(-1)?.status === "complete");
  });
});
