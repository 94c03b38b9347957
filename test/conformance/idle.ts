// What idle sessions cost.
import assert from "node:assert/strict";
import type { Session } from "@drover/core";
import { Conversation, processesOfSession } from "../e2e/support.ts";
import type { Server } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { patience, type Scene } from "./stage.ts";

const MB = 1024 * 1024;

interface Memory {
  /** What the program holds after a garbage collection. */
  used: number;
  /** The memory of the process as the machine sees it. */
  resident: number;
}

/** Uses the server's debugger, which SIGUSR1 opens. It must be disconnected before the server can end. */
async function memoryOf({ pid, stderr }: Server): Promise<Memory> {
  process.kill(pid, "SIGUSR1");
  const listening = () => /Debugger listening on (ws:\S+)/.exec(stderr())?.[1];
  const socket = new WebSocket(await until(listening, { what: "the debugger listens" }));
  const answers = new Map<number, unknown>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
    answers.set(id, result);
  };
  await until(() => socket.readyState === WebSocket.OPEN, { what: "the debugger answers" });
  const ask = (id: number, method: string, params = {}): Promise<unknown> => {
    socket.send(JSON.stringify({ id, method, params }));
    return until(() => answers.get(id), { what: method });
  };
  await ask(1, "HeapProfiler.collectGarbage");
  const expression = "(({ heapUsed, external, rss }) => [heapUsed + external, rss])(process.memoryUsage())";
  const { result } = (await ask(2, "Runtime.evaluate", { expression, returnByValue: true })) as {
    result: { value: [number, number] };
  };
  socket.close();
  const [used, resident] = result.value;
  return { used, resident };
}

/** Creates sessions that have had one turn, four at a time. */
async function idleSessions(scene: Scene, count: number): Promise<string[]> {
  const { rig, cwd, subject } = scene;
  const ids: string[] = [];
  const one = async () => {
    const { id } = await rig.client.post<Session>("/api/sessions", { agent: subject.name, cwd });
    ids.push(id);
    await using session = new Conversation(rig, id);
    const done = await session.turn(scene.prompt({ say: "The robin sings." }), patience);
    assert.equal(done.reason, "end_turn");
  };
  const lane = async () => {
    while (ids.length < count) await one();
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return ids;
}

/**
 * Measures two things after a forced garbage collection: what the server that ran the turns still holds, and what a new
 * server needs with those sessions and without them. (Memory that the runtime keeps after the turns is not counted.)
 */
export async function idle(scene: Scene): Promise<void> {
  const { rig } = scene;
  const restart = async () => {
    await rig.server.term();
    await rig.start({ NODE_OPTIONS: "--inspect-port=0" });
  };
  await restart();
  try {
    const without = await memoryOf(rig.server);
    // The first turns load the SDK and warm up the caches.
    await idleSessions(scene, 10);
    const before = await memoryOf(rig.server);
    const ids = await idleSessions(scene, 100);
    for (const id of ids) {
      assert.equal((await rig.client.get<Session>(`/api/sessions/${id}`)).connection.pid, undefined);
      assert.deepEqual(processesOfSession(rig, id), []);
    }
    const held = (await memoryOf(rig.server)).used - before.used;
    assert.ok(held < 10 * MB, `they hold ${held} bytes`);

    await restart();
    for (const id of ids) await rig.client.get(`/api/sessions/${id}`);
    const taken = (await memoryOf(rig.server)).resident - without.resident;
    assert.ok(taken < 10 * MB, `they take ${taken} bytes`);
  } finally {
    await rig.server.term();
    await rig.start();
  }
}
