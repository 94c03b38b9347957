import type { EventOf } from "@drover/core";
import type { Cli } from "../cli.ts";
import { CliError, exit, RejectedError } from "../exit.ts";
import type { Client } from "../server/client.ts";
import { Screen } from "../view/screen.ts";
import { oneLine } from "../view/text.ts";
import { failedCheck } from "../view/words.ts";
import { readSession } from "./frames.ts";

interface Place {
  readonly sessionId: string;
  /** The last event before the merge was requested. */
  readonly after: number;
}

/**
 * Waits for a merge that has to wait itself, and prints what its checks do. Returns the review as it is after the merge,
 * or after failed checks; throws if the merge was refused.
 */
export async function untilMerged(cli: Cli, client: Client, place: Place): Promise<EventOf<"review">> {
  const reading = new AbortController();
  using screen = new Screen(cli);
  screen.busy("waiting for the merge");
  try {
    let command: string | undefined;
    let isOver = false;
    for await (const { event } of readSession(cli, client, { ...place, signal: reading.signal })) {
      // The reason follows the review.
      if (event.type === "notice" && isOver) throw refusal(event);
      if (event.type !== "review") continue;
      const { state, checks } = event;
      if (checks?.state === "running" && checks.command !== command) {
        command = checks.command;
        screen.line(`Running ${oneLine(command)}`);
        screen.busy("running the checks");
      }
      if (state === "merged") return event;
      if (state === "changes_requested" && checks?.state === "failed") {
        screen.line(`Failed: ${oneLine(checks.command)}`);
        screen.lines(failedCheck(checks));
        return event;
      }
      isOver = state === "open" && checks?.state !== "failed";
    }
  } finally {
    reading.abort();
  }
  throw new CliError(exit.failed, "The server stopped reporting about the merge.");
}

/** The notice of a merge that did not happen has the code and the facts of the refusal. */
const refusal = ({ code, message, facts }: EventOf<"notice">): RejectedError =>
  new RejectedError(409, { code, message, facts: facts ?? {} });
