import type { SessionEvent, Snapshot } from "@drover/core";
import type { Cli } from "../cli.ts";
import type { Client } from "../server/client.ts";
import { type FollowOptions, follow } from "../server/follow.ts";

export type SnapshotFrame = Snapshot & { readonly type: "snapshot"; readonly reset?: boolean };

/** A frame's content, and its original text, which --json prints. */
export interface ReceivedFrame<T = SessionEvent | SnapshotFrame> {
  readonly event: T;
  readonly data: string;
}

/**
 * A session's decoded stream. The server promises numbers without gaps; a gap is reported once, and reading
 * continues.
 */
export async function* readSession(
  cli: Cli,
  client: Client,
  { sessionId, ...options }: FollowOptions & { readonly sessionId: string },
): AsyncGenerator<ReceivedFrame> {
  let last = options.after;
  let hasWarned = false;
  for await (const { data } of follow(client, sessionId, options)) {
    const event = JSON.parse(data) as SessionEvent | SnapshotFrame;
    const hasGap = event.type !== "snapshot" && last !== undefined && event.from !== last + 1;
    if (hasGap && !hasWarned) {
      hasWarned = true;
      cli.stderr.line(
        `The stream jumped from ${last} to ${event.from}: a bug in Drover. \`drover logs\` prints everything.`,
      );
    }
    last = event.seq;
    yield { event, data };
  }
}
