import { once } from "node:events";
import { connect } from "node:net";
import type { EventBody } from "@drover/core";
import { describe, expect, test } from "vitest";
import { openSocket, type SocketFrame } from "../../../../test/kit/socket.ts";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi, type TestApi, token } from "./harness.ts";

const text = (itemId: string, words: string, turnId = "trn_1"): EventBody => ({
  ...{ type: "text_delta", itemId, text: words },
  turnId,
});
const _done: EventBody = { type: "done", turnId: "trn_1", reason: "end_turn", ok: true, partial: false };
const events = (frames: readonly SocketFrame[], sessionId?: string) =>
  frames.filter((f) => f.type === "session:event" && (!sessionId || f["sessionId"] === sessionId));
const seqs = (frames: readonly SocketFrame[]) => frames.map((frame) => frame["seq"]);

/** A socket whose client reads nothing until `resume`, and answers no ping. */
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
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.pause();
  const send = (value: unknown) => {
    const payload = Buffer.from(JSON.stringify(value));
    socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload]));
  };
  return { socket, send, answer };
}

describe("a socket", () => {
  test("S8 that does not keep up is closed with 4008; others are unaffected; it can resume with its cursor", async () => {
    await using api = await startApi({ streams: { clientBuffer: 256 * 1024 } });
    await using good = await openSocket(api);
    const id = await newSession(api);
    const { socket: slow, send } = await deafSocket(api);
    send({ type: "session:open", sessionId: id });
    await good.request("session:open", { sessionId: id });
    await until(() => api.service.must(id).listeners.size === 2);
    // A close frame with code 4008 is the last thing it reads.
    const closing = Buffer.from([0x88, 13, 0x0f, 0xa8, ...Buffer.from("slow client")]);
    const readLast = async () => {
      let tail = Buffer.alloc(0);
      for await (const chunk of slow) {
        tail = Buffer.concat([tail, chunk]).subarray(-closing.length);
        if (tail.equals(closing)) break;
      }
      return tail;
    };
    const words = "x".repeat(1_000);
    let last: Promise<Buffer> | undefined;
    for (let i = 1; i <= 200; i++) {
      api.service.append(
        id,
        Array.from({ length: 100 }, () => text(`i${i}`, words)),
      );
      await until(() => good.frames.at(-1)?.["seq"] === i * 100);
      // It reads as soon as it is cut off, because it has limited time to close.
      if (api.service.must(id).listeners.size === 1) last ??= readLast();
    }
    expect(seqs(events(good.frames))).toEqual(Array.from({ length: 20_000 }, (_, i) => i + 1));
    expect(await last).toEqual(closing);
    expect(api.service.must(id).listeners.size).toBe(1);
    await using back = await openSocket(api);
    await back.request("session:open", { sessionId: id, after: 0 });
    await until(() => events(back.frames).length === 20_000);
  });

  test("S8 that requests more than it reads gets no further answers until it reads", async () => {
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
    for (let i = 0; i < 80; i++) send({ type: "session:open", sessionId: id, requestId: i });
    await until(() => asked > 0);
    await using other = await openSocket(api);
    for (let i = 0; i < 50; i++) await other.request("project:list");
    expect(asked).toBeLessThan(60);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    // One after the other, since their total time depends on the machine.
    for (let n = asked; n < 80; n++) await until(() => asked > n);
    await until(() => bytes > 80_000_000);
    socket.destroy();
  });

  test("that does not answer two pings is dropped", async () => {
    await using api = await startApi({ streams: { heartbeat: 40 } });
    await using alive = await openSocket(api);
    const { socket, answer } = await deafSocket(api);
    const read = [answer];
    socket.on("data", (chunk: Buffer) => read.push(chunk));
    socket.resume();
    await once(socket, "close");
    const [, frames] = Buffer.concat(read).toString("latin1").split("\r\n\r\n");
    const ping = "\x89\0";
    expect(frames).toBe(ping + ping);
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
