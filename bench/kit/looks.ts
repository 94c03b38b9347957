// The first requests of people and pages, timed. Every time comes from an event; nothing is polled.
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

/** Opens a session's stream and reads its snapshot: state, last items, open interactions. */
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

/** Everything the page requests when it is opened, over WebSocket and HTTP. */
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

/** The times of this many requests in a row, in milliseconds. */
export async function timesOf(look: Look, target: Target, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = now();
    await look(target);
    times.push((now() - start) / 1000);
  }
  return times;
}
