import { encodeOnce } from "../stream/encode.ts";

/** What a socket is sent: one JSON object. */
export interface Frame {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * An unmasked text frame (RFC 6455, 5.2). Encoded here and not by the ws package so that one encoding serves every
 * socket; without compression a socket accepts frames from both.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
}

/** The frames of a batch of one session's events, the same bytes for every socket that opened it. */
export const eventFrames = encodeOnce((batch) => {
  const [first] = batch;
  if (!first) return Buffer.alloc(0);
  const { sessionId } = JSON.parse(first.data) as { sessionId: string };
  const head = `{"type":"session:event","sessionId":${JSON.stringify(sessionId)}`;
  return Buffer.concat(
    batch.map(({ seq, from, data }) => textFrame(`${head},"seq":${seq},"from":${from},"event":${data}}`)),
  );
});
