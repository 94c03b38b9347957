// What people and pages ask a server for first, by the clock: every answer is an event, none is polled for.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { WebSocket } from "ws";
import { api, bearer } from "../../test/kit/http.ts";
import type { Target } from "../../test/kit/server.ts";
import { now } from "./unit.ts";

export type Look = (target: Target) => Promise<unknown>;

export const getting =
  (path: string): Look =>
  (target) =>
    api(target).get(path);

/** A session's stream up to its snapshot: what it is, its last items, its open interactions. */
export const opening =
  (sessionId: string): Look =>
  async (target) => {
    const url = new URL(`/api/sessions/${sessionId}/events`, target.url);
    const request = get(url, { agent: false, headers: bearer(target) });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    let text = "";
    for await (const chunk of response.setEncoding("utf8")) {
      text += chunk;
      if (text.includes("data: ") && text.endsWith("\n\n")) break;
    }
    request.destroy();
    return text;
  };

/** All that the page asks for when it is opened, over its socket and beside it, until everything is there. */
export const pageLoad: Look = async (target) => {
  const ws = new WebSocket(new URL("/ws", target.url.replace("http", "ws")), { headers: bearer(target) });
  await once(ws, "open");
  const ask = (type: string, fields: object = {}) =>
    new Promise<void>((resolve) => {
      ws.on("message", (data) => {
        if ((JSON.parse(String(data)) as { type: string }).type === type) resolve();
      });
      ws.send(JSON.stringify({ type, requestId: type, ...fields }));
    });
  const client = api(target);
  await Promise.all([
    ask("session:list", { limit: 500 }),
    ask("project:list"),
    client.get("/api/interactions"),
    client.get("/api/health"),
  ]);
  ws.terminate();
};

/** Milliseconds of so many answers, one after the other. */
export async function timesOf(look: Look, target: Target, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = now();
    await look(target);
    times.push((now() - start) / 1000);
  }
  return times;
}
