import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { RejectedError } from "../exit.ts";
import type { Client } from "./client.ts";
import { ServerAway } from "./http.ts";
import { type Frame, readFrames } from "./sse.ts";

export interface FollowOptions {
  /** The number to go on after; without one the stream begins with a snapshot. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/**
 * A session's frames, for as long as the reader wants them: after every break the stream goes on behind the last frame
 * that was read, on whatever server is there then. Ends when the signal is aborted; throws when the server stays away.
 */
export async function* follow(
  client: Client,
  sessionId: string,
  { after, signal }: FollowOptions,
): AsyncGenerator<Frame> {
  let cursor = after === undefined ? undefined : String(after);
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/events`;
  const connect = () =>
    client.open({
      method: "GET",
      path,
      headers: {
        accept: "text/event-stream",
        ...(cursor === undefined ? {} : { "last-event-id": cursor }),
      },
      signal,
    });
  try {
    for (;;) {
      const response = await client.persist(signal, true, () => busyIsAway(connect));
      let frames = 0;
      for await (const frame of readUntilBreak(response)) {
        frames++;
        cursor = frame.id;
        yield frame;
      }
      // A server that accepts and closes at once would otherwise be asked without a pause.
      if (frames === 0) await pause(200, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A server with no room for another stream is as good as away: it says so with 503 and a Retry-After. */
async function busyIsAway(connect: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof RejectedError) || error.status !== 503) throw error;
    throw new ServerAway(error.message, { delivered: false, cause: error });
  }
}

/** Frames until the connection ends, however it ends: a break is not an error to a reader that comes back. */
async function* readUntilBreak(response: IncomingMessage): AsyncGenerator<Frame> {
  try {
    yield* readFrames(response);
  } catch {
    // What was cut off comes again: the cursor is behind the last whole frame.
  } finally {
    response.destroy();
  }
}
