import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { get } from "node:http";
import { bearer } from "../../test/kit/http.ts";
import type { Target } from "../../test/kit/server.ts";
import { runBare } from "./bare-program.ts";
import { EventReader } from "./event-reader.ts";
import { Transcript } from "./transcript.ts";
import { now } from "./unit.ts";

/** The session, and the last turn of its log. */
export interface Log {
  readonly sessionId: string;
  readonly turnId: string;
}

export interface Replay {
  /** From the request to the first frame. */
  readonly firstMs: number;
  /** From the request to the end of the log. */
  readonly seconds: number;
  readonly transcript: Transcript;
  readonly bytes: number;
  readonly gaps: number;
}

/** Reads a log from its first event to the end of its last turn. */
export async function replay(target: Target, { sessionId, turnId }: Log): Promise<Replay> {
  const transcript = new Transcript();
  const start = now();
  let first = 0;
  using reader = new EventReader({
    target: () => target,
    sessionId,
    onFrame: (frame, at) => {
      first ||= at;
      transcript.take(frame, at);
    },
  });
  await transcript.until(() => transcript.dones(turnId).length > 0, { what: "the end of the log" });
  const seconds = (now() - start) / 1e6;
  const { bytes, gaps } = reader;
  return { firstMs: (first - start) / 1000, seconds, transcript, bytes, gaps };
}

/** The first `size` bytes of a log as the server sends it. */
export async function saveReplay(
  target: Target,
  log: Log,
  to: { path: string; size: number },
): Promise<void> {
  const url = new URL(`/api/sessions/${log.sessionId}/events?after=0`, target.url);
  const request = get(url, { agent: false, headers: bearer(target) });
  const [response] = await once(request, "response");
  const file = createWriteStream(to.path);
  let remaining = to.size;
  for await (const chunk of response) {
    file.write(chunk.subarray(0, remaining));
    remaining -= chunk.length;
    if (remaining <= 0) break;
  }
  request.destroy();
  await new Promise((resolve) => file.end(resolve));
}

/** The same bytes from a server that does nothing but send them. */
export const serveBare = (path: string) => runBare("bare-server.ts", path);
