import type { SessionEvent, Snapshot } from "@drover/core";
import type { Cli } from "../cli.ts";
import type { Client } from "../server/client.ts";
import { type FollowOptions, follow } from "../server/follow.ts";

export type SnapshotFrame = Snapshot & { readonly type: "snapshot"; readonly reset?: boolean };

/** A frame's content and the very text it came as, which is what --json prints. */
export interface Told<T = SessionEvent | SnapshotFrame> {
  readonly event: T;
  readonly data: string;
}

/**
 * A session's stream, decoded. Numbers without a gap are what the server promises and what every client relies on:
 * a gap is said aloud once, and the stream goes on.
 */
export async function* readSession(
  cli: Cli,
  client: Client,
  { sessionId, ...options }: FollowOptions & { readonly sessionId: string },
): AsyncGenerator<Told> {
  let last = options.after;
  let hasWarned = false;
  for await (const { data } of follow(client, sessionId, options)) {
    const event = JSON.parse(data) as SessionEvent | SnapshotFrame;
    const hasGap = event.type !== "snapshot" && last !== undefined && event.from !== last + 1;
    if (hasGap && !hasWarned) {
      hasWarned = true;
      cli.stderr.line(
        `The stream jumped from ${last} to ${event.from}: a bug in Drover. \`drover logs\` has everything.`,
      );
    }
    last = event.seq;
    yield { event, data };
  }
}
