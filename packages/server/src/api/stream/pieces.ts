import type { ServerResponse } from "node:http";
import { pour } from "../http/pour.ts";

/** Sends pieces as fast as the client reads them. If the client disconnects, their source is ended. */
export async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array>,
  { type, stallMs }: { readonly type: string; readonly stallMs: number },
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
  await pour(response, pieces, stallMs);
}
