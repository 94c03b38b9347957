import type { Receipt } from "@drover/core";
import type { ApiContext } from "../context.ts";
import type { Streamed } from "../http/route.ts";
import { sessionSource } from "../stream/session-source.ts";
import { TurnSink } from "../stream/turn.ts";
import { openStream } from "./open-stream.ts";

/** The receipt, then the frames of its turn until `done`. A client that disconnects does not stop the turn. */
export function streamTurn(value: unknown, call: Streamed, context: ApiContext): void {
  const receipt = value as Receipt;
  const { service } = context.deps;
  const stream = openStream(call, context);
  const removed = service.feed.subscribe(({ type, data }) => {
    if (type === "session_removed" && data.includes(receipt.sessionId)) stream.end();
  });
  call.response.on("close", () => removed[Symbol.dispose]());
  const data = JSON.stringify({ type: "receipt", ...receipt });
  stream.first({ id: receipt.cursor, type: "receipt", data });
  const sink = new TurnSink({ receipt, stream, end: () => stream.end() });
  stream.follow(sessionSource(service, receipt.sessionId), receipt.cursor, sink);
}
