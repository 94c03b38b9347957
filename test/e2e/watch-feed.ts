import { bearer } from "../kit/http.ts";
import { sseBlocks } from "../kit/sse.ts";
import type { Rig } from "./support.ts";

export type Fields = Record<string, unknown>;

/** Everything the server announces to all clients from now on, as one list. */
export async function watchFeed(rig: Rig): Promise<{ entries: Fields[] } & AsyncDisposable> {
  const abort = new AbortController();
  const { url } = rig.server;
  const response = await fetch(new URL("/api/events", url), {
    headers: bearer(rig.server),
    signal: abort.signal,
  });
  const entries: Fields[] = [];
  const reading = (async () => {
    for await (const { event, data } of sseBlocks(response.body as ReadableStream<Uint8Array>)) {
      if (data !== undefined) entries.push({ event, ...(JSON.parse(data) as Fields) });
    }
  })().catch(() => undefined);
  return {
    entries,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await reading;
    },
  };
}

export const ofEvent = (entries: Fields[], name: string) => entries.filter(({ event }) => event === name);

export const ofSession = (entries: Fields[], id: string) =>
  entries.filter(({ sessionId }) => sessionId === id);

export const statusesIn = (entries: Fields[]) => ofEvent(entries, "agent:status").map(({ status }) => status);
