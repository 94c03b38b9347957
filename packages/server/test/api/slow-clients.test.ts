import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { EventBody } from "@drover/core";
import { describe, expect, test } from "vitest";
import { follow } from "../../../../test/kit/events.ts";
import { until } from "../../../../test/kit/until.ts";
import { newSession, startApi, type TestApi, token } from "./harness.ts";

const text = (itemId: string, words: string): EventBody => ({ type: "text_delta", itemId, text: words });
const headers = { authorization: `Bearer ${token}` };

describe("a client that does not keep up", () => {
  const request = (path: string, api: TestApi) =>
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;

  async function stalled(api: TestApi, path: string): Promise<Socket> {
    const socket = connect(api.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(request(path, api));
    await once(socket, "readable");
    return socket.pause();
  }

  test("S8 is cut off, others are unaffected, and it misses nothing when it comes back", async () => {
    await using api = await startApi({ streams: { clientBuffer: 256 * 1024 } });
    const id = await newSession(api);
    await using good = follow(() => api, id, { after: 0 });
    await until(() => good.connections === 1);
    const slow = await stalled(api, `/api/sessions/${id}/events?after=0`);
    const before = process.memoryUsage().rss;
    const words = "x".repeat(1_000);
    for (let i = 0; i < 200; i++) {
      api.service.append(
        id,
        Array.from({ length: 100 }, () => text(`i${i}`, words)),
      );
      const last = (i + 1) * 100;
      await until(() => good.cursor === last, { what: "the good client has it all" });
    }
    await until(() => metric(api, "drover_open_streams", "sse").then((open) => open === 1));
    expect(good.events).toHaveLength(20_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    slow.destroy();

    await using back = follow(() => api, id, { after: 0 });
    await back.until((event) => event.seq === 20_000);
    expect(back.events.map(({ seq }) => seq)).toEqual(good.events.map(({ seq }) => seq));
  });

  test("S8 may take its time over what it asked for itself: a replay waits, in bounded memory", async () => {
    await using api = await startApi({ streams: { clientBuffer: 64 * 1024, heartbeat: 50 } });
    const id = await newSession(api);
    const words = "x".repeat(1_000);
    for (let i = 0; i < 200; i++)
      api.service.append(
        id,
        Array.from({ length: 100 }, () => text(`i${i}`, words)),
      );
    let reads = 0;
    api.service.beforeRead = async () => void reads++;
    const slow = await stalled(api, `/api/sessions/${id}/events?after=0`);
    await until(() => reads > 0);
    for (let i = 0; i < 50; i++) await metric(api, "drover_open_streams", "sse");
    // 20 MB are asked for; what the kernel's own buffers hold and a page or two were read.
    expect(reads).toBeLessThan(60);
    expect(await metric(api, "drover_open_streams", "sse")).toBe(1);
    let tail = "";
    let isComplete = false;
    slow.on("data", (chunk) => {
      tail = `${tail}${chunk}`.slice(-100_000);
      isComplete ||= tail.includes("\nid: 20000\n");
    });
    slow.resume();
    await until(() => isComplete);
    slow.destroy();
  });
});

async function metric(api: TestApi, name: string, kind: string): Promise<number> {
  const body = await (await fetch(`${api.url}/metrics`, { headers })).text();
  return Number(new RegExp(`${name}{kind="${kind}"} (\\d+)`).exec(body)?.[1]);
}
