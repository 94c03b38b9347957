import type { EventBody } from "@drover/core";
import { sseBlocks } from "../../../../test/kit/sse.ts";
import { bearer, type TestApi } from "./harness.ts";

export const text = (itemId: string, words: string): EventBody => ({
  type: "text_delta",
  itemId,
  text: words,
});

interface Wanted {
  readonly path: string;
  readonly count: number;
  readonly lastEventId?: string;
}

/** The first frames of an event stream that carry data. */
export async function firstFrames(api: TestApi, { path, count, lastEventId }: Wanted) {
  const cursor = lastEventId === undefined ? {} : { "last-event-id": lastEventId };
  const response = await fetch(new URL(path, api.url), { headers: { ...bearer, ...cursor } });
  const frames: { id: string | undefined; event: string | undefined; data: Record<string, unknown> }[] = [];
  if (!response.body) throw new Error("no body");
  for await (const { id, event, data } of sseBlocks(response.body)) {
    if (data !== undefined) frames.push({ id, event, data: JSON.parse(data) });
    if (frames.length === count) break;
  }
  return frames;
}
