import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

const pieceBytes = 65_536;

/**
 * Writes a body as fast as the client takes it, and ends the response. A client that takes nothing for `stallMs` is gone:
 * rejects then, and when the client leaves; the source is ended either way.
 */
export async function pour(
  response: ServerResponse,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  stallMs: number,
): Promise<void> {
  let stall: NodeJS.Timeout | undefined;
  const watch = () => {
    clearTimeout(stall);
    stall = setTimeout(() => response.destroy(), stallMs);
  };
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      watch();
      yield piece;
      // However long the next piece takes to come: nobody keeps the client waiting but its source.
      clearTimeout(stall);
    }
    watch();
  }
  try {
    await pipeline(watched, response);
  } finally {
    clearTimeout(stall);
  }
}

/** A whole body in pieces, so that each one that is taken shows. */
export function* piecesOf(body: string | Uint8Array): Generator<Uint8Array> {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    yield bytes.subarray(start, start + pieceBytes);
  }
}
