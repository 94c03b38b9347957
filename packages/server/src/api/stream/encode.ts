import type { EncodedEvent } from "../../ports.ts";

/**
 * Encodes a batch once for all its readers: a batch is the same array for every subscriber, belongs to one session and
 * is never changed.
 */
export function encodeOnce(
  encode: (batch: readonly EncodedEvent[]) => Uint8Array,
): (batch: readonly EncodedEvent[]) => Uint8Array {
  const known = new WeakMap<readonly EncodedEvent[], Uint8Array>();
  return (batch) => {
    let bytes = known.get(batch);
    if (!bytes) {
      bytes = encode(batch);
      known.set(batch, bytes);
    }
    return bytes;
  };
}

export interface SseFrame {
  readonly id: number;
  readonly type: string;
  /** JSON, and therefore one line. */
  readonly data: string;
}

export const sseFrame = ({ id, type, data }: SseFrame) => `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;

export const sseFrames = encodeOnce((batch) =>
  Buffer.from(batch.map(({ seq, type, data }) => sseFrame({ id: seq, type, data })).join("")),
);
