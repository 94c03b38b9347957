import type { ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";

/** The size of the pieces in which a body is written. */
export const pieceBytes = 65_536;

/**
 * Writes a body as fast as the client reads it, and ends the response. A client that reads nothing for `stallMs` is
 * gone: rejects then, and when the client disconnects; the source is ended either way.
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
      // However long the next piece takes: only the source keeps the client waiting.
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

/** A body in pieces, so that each read shows progress. Reports before each piece how many bytes are pending. */
export function* piecesOf(bytes: Uint8Array, waiting = (_bytes: number) => {}): Generator<Uint8Array> {
  for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
    waiting(bytes.byteLength - start);
    yield bytes.subarray(start, start + pieceBytes);
  }
}
