import type { ApiContext } from "../context.ts";
import type { Streamed } from "../http/route.ts";
import { SseStream } from "../stream/sse.ts";

export const openStream = ({ request, response, right }: Streamed, { deps, streams, unread }: ApiContext) => {
  const { clientBuffer } = deps.config.streams;
  return new SseStream({ request, response, right, streams, unread, clientBuffer });
};
