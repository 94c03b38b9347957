import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { follow } from "../../../../test/kit/events.ts";
import { until } from "../../../../test/kit/until.ts";
import { text } from "./event-frames.ts";
import { bearer, newSession, startApi, type TestApi } from "./harness.ts";
import { deafSocket, frame, metric, request, serverEnds, stalled, unsent } from "./stalled.ts";

describe("a client that does not keep up", () => {
  test("S8 is cut off, others are unaffected, and it misses nothing after reconnecting", async () => {
    const clientBuffer = 256 * 1024;
    await using api = await startApi({ streams: { clientBuffer } });
    const id = await newSession(api);
    await using good = follow(() => api, id, { after: 0 });
    await until(() => good.connections === 1);
    const { made: slow, ends } = await serverEnds(() => stalled(api, `/api/sessions/${id}/events?after=0`));
    let mostHeld = 0;
    const words = "x".repeat(1_000);
    for (let i = 0; i < 200; i++) {
      api.service.append(
        id,
        Array.from({ length: 100 }, () => text(`i${i}`, words)),
      );
      const last = (i + 1) * 100;
      mostHeld = Math.max(mostHeld, unsent(ends));
      await until(() => good.cursor === last, { what: "the good client has it all" });
    }
    await until(() => metric(api, "drover_open_streams", "sse").then((open) => open === 1));
    expect(good.events).toHaveLength(20_000);
    expect(mostHeld).toBeGreaterThan(0);
    // The first hundred events over the limit, held until then, cut it off.
    expect(mostHeld).toBeLessThan(clientBuffer + 150_000);
    slow.destroy();

    await using back = follow(() => api, id, { after: 0 });
    await back.until((event) => event.seq === 20_000);
    expect(back.events.map(({ seq }) => seq)).toEqual(good.events.map(({ seq }) => seq));
  });

  test("S8 may read its own replay slowly: the replay waits, in bounded memory", async () => {
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
    // 20 MB are requested; only what the kernel's buffers hold and a page or two were read.
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

describe("a client that reads nothing", () => {
  const budget = 256 * 1024;
  const mebibyte = 1024 * 1024;

  async function largeSessions(api: TestApi, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) {
      const id = await newSession(api);
      api.service.append(id, [text(`i${n}`, "x".repeat(mebibyte))]);
      ids.push(id);
    }
    return ids;
  }

  test("that leaves while its request is handled leaves no stream behind", async () => {
    await using api = await startApi();
    const id = await newSession(api);
    const [looked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    api.service.beforeLocate = () => {
      looked.resolve();
      return left.promise;
    };
    const { made: client, ends } = await serverEnds(async () => {
      const socket = connect(api.port, "127.0.0.1");
      socket.write(request(`/api/sessions/${id}/events?after=0`, api));
      await looked.promise;
      return socket;
    });
    client.destroy();
    await until(() => ends.every(({ destroyed }) => destroyed), { what: "the server has seen it leave" });
    left.resolve();
    // This request is answered after the first one was handled.
    await metric(api, "drover_open_streams", "sse");
    expect(await metric(api, "drover_open_streams", "sse")).toBe(0);
  });

  test("S8 is not sent the snapshots of all sessions that it opens over a socket", async () => {
    await using api = await startApi({ streams: { clientBuffer: budget } });
    const ids = await largeSessions(api, 100);
    const { made: deaf, ends } = await serverEnds(() => deafSocket(api));
    for (const view of ["events", "items"]) {
      for (const sessionId of ids) deaf.write(frame({ type: "session:open", sessionId, view }));
    }
    for (let n = 0; n < 50; n++) deaf.write(frame({ type: "session:list", limit: 1000 }));
    await until(() => unsent(ends) > budget, { what: "it is behind" });
    let asked = -1;
    // Once the service gets no more calls, everything that can happen without the client has happened.
    await until(async () => {
      const before = asked;
      for (let n = 0; n < 20; n++) await metric(api, "drover_open_streams", "websocket");
      asked = api.service.calls.length;
      return asked === before;
    });
    expect(unsent(ends)).toBeLessThan(budget + 2 * mebibyte);
    deaf.destroy();
  });

  test("S8 is cut off over unread announcements even while it waits for its own answers", async () => {
    await using api = await startApi({ streams: { clientBuffer: budget } });
    // More than the kernel's own buffers hold.
    const ids = await largeSessions(api, 1);
    api.service.append(ids[0] ?? "", [text("more", "x".repeat(12 * mebibyte))]);
    const { made: deaf, ends } = await serverEnds(() => deafSocket(api));
    deaf.write(frame({ type: "session:open", sessionId: ids[0] }));
    await until(() => unsent(ends) > mebibyte, { what: "it is behind" });
    const held = unsent(ends);
    for (let n = 0; n < 200; n++) api.service.publish("session_upserted", { words: "x".repeat(10_000) });
    expect(unsent(ends) - held).toBeLessThan(budget + 20_000);
    deaf.destroy();
  });

  test("S8 that sends a request during a replay is answered once it reads on", async () => {
    await using api = await startApi({ streams: { clientBuffer: budget } });
    const id = await newSession(api);
    for (let n = 0; n < 10; n++) api.service.append(id, [text(`i${n}`, "x".repeat(3 * mebibyte))]);
    let pages = 0;
    api.service.beforeRead = async () => void pages++;
    const { made: slow, ends } = await serverEnds(() => deafSocket(api));
    let received = "";
    let isAnswered = false;
    slow.on("data", (chunk) => {
      received = `${received}${chunk}`.slice(-100_000);
      isAnswered ||= received.includes('"requestId":"late"');
      // Reads the answer to `session:open` and some of the replay, but not what follows.
      if (pages === 3) slow.pause();
    });
    slow.resume();
    slow.write(frame({ type: "session:open", sessionId: id, after: 0 }));
    await until(() => slow.isPaused() && unsent(ends) > budget, { what: "it is behind" });
    slow.write(frame({ type: "session:list", requestId: "late" }));
    // Answered after the server has seen the request above.
    for (let n = 0; n < 20; n++) await metric(api, "drover_open_streams", "websocket");
    pages = 4;
    slow.resume();
    await until(() => isAnswered, { what: "it is answered" });
    slow.destroy();
  });

  test("S8 is cut off when the unread data of all clients exceeds the limit, and one that reads is not", async () => {
    // One of these answers fits. With what the kernel leaves of another one, two do not.
    await using api = await startApi({ limits: { unreadBytes: 32 * mebibyte } });
    const id = await newSession(api);
    api.service.append(id, [text("i", "x".repeat(24 * mebibyte))]);
    const deaf = [
      () => stalled(api, `/api/sessions/${id}/messages`),
      () => stalled(api, `/api/sessions/${id}/events`),
      async () => {
        const socket = await deafSocket(api);
        socket.write(frame({ type: "session:open", sessionId: id }));
        return socket;
      },
      () => stalled(api, `/api/sessions/${id}/messages`),
    ];
    const { made: clients, ends } = await serverEnds(async () => {
      const made: Socket[] = [];
      for (const connected of deaf) made.push(await connected());
      return made;
    });
    await until(() => ends.slice(0, 3).every(({ destroyed }) => destroyed), {
      what: "the first ones are cut",
    });
    expect(ends[3]?.destroyed, "the last one").toBe(false);
    const answer = await fetch(`${api.url}/api/sessions/${id}/messages`, { headers: bearer });
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(24 * mebibyte);
    for (const client of clients) client.destroy();
  });

  test("is dropped when it reads nothing of its answer for long, and one that reads slowly is not", async () => {
    await using api = await startApi({ limits: { stallMs: 1_000 } });
    const [id = ""] = await largeSessions(api, 1);
    api.service.append(id, [text("more", "x".repeat(16 * mebibyte))]);
    api.service.rawOutput = Buffer.alloc(16 * mebibyte, 0x78);
    for (const asked of [`/api/sessions/${id}/messages`, `/api/sessions/${id}/log`]) {
      const { made: deaf, ends } = await serverEnds(async () => stalled(api, asked));
      await until(() => ends.every(({ destroyed }) => destroyed), { what: `${asked} is given up` });
      deaf.destroy();

      const slow = await stalled(api, asked);
      let got = 0;
      const start = performance.now();
      for (;;) {
        const chunk: Buffer | null = slow.read(262_144) ?? slow.read();
        got += chunk?.length ?? 0;
        if (got > 16 * mebibyte) break;
        if (slow.destroyed) throw new Error(`${asked} was cut off after ${got} bytes`);
        const last = performance.now();
        await until(() => performance.now() - last > 30);
      }
      expect(performance.now() - start, "it took longer than a stall may").toBeGreaterThan(1_000);
      slow.destroy();
    }
  });
});
