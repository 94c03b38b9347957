import type { IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { RejectedError } from "../exit.ts";
import type { Client } from "./client.ts";
import { ServerAway } from "./http.ts";
import { type Frame, readFrames } from "./sse.ts";

export interface FollowOptions {
  /** The number of the last event that is known; without it the stream starts with a snapshot. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

/**
 * A session's frames, until the signal is aborted. After a broken connection the stream continues after the last frame
 * that was read, on the server that is running by then. Throws if the server stays away.
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
      // Avoid a busy loop with a server that accepts connections and closes them at once.
      if (frames === 0) await pause(200, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A server without room for another stream (503) is treated like one that is away. */
async function busyIsAway(connect: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
  try {
    return await connect();
  } catch (error) {
    if (!(error instanceof RejectedError) || error.status !== 503) throw error;
    throw new ServerAway(error.message, { delivered: false, cause: error });
  }
}

/** Frames until the connection ends. A broken one is no error, because the reader reconnects. */
async function* readUntilBreak(response: IncomingMessage): AsyncGenerator<Frame> {
  try {
    yield* readFrames(response);
  } catch {
    // An incomplete frame is sent again: the cursor is at the last complete one.
  } finally {
    response.destroy();
  }
}
