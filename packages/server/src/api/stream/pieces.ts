import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** Sends what comes piece by piece, as fast as the client takes it. A client that leaves ends where it comes from. */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
  type: string,
): Promise<void> {
  response.writeHead(200, {
    "Content-Type": type,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  if (response.req.method === "HEAD") {
    for await (const _piece of pieces) break;
    return void response.end();
  }
  await pipeline(pieces, response);
}
