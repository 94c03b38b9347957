import type { Receipt, Session, SessionEvent } from "@drover/core";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import type { SnapshotFrame } from "./frames.ts";

/** Recognizes the frames of one message's turn, even if the message waits in the queue first. */
export class OwnTurn {
  /** Known from the start if the message was not queued. */
  turnId: string | undefined;
  private readonly client: Client;
  private readonly receipt: Receipt;
  /** The message is no longer queued: the next frame starts its turn, or it was dropped. */
  private hasLeftQueue = false;

  constructor(client: Client, receipt: Receipt) {
    this.client = client;
    this.receipt = receipt;
    this.turnId = receipt.turnId;
  }

  /** `gone`: the turn will never start, or its end was missed. */
  async take(event: SessionEvent | SnapshotFrame): Promise<"ours" | "others" | "gone"> {
    if (event.type === "snapshot") return this.hasEnded(event) ? "gone" : "others";
    const { messageId } = this.receipt;
    if (event.type === "turn_start" && event.messageId === messageId) this.turnId = event.turnId;
    if (this.turnId !== undefined) return this.isOurs(event) ? "ours" : "others";
    if (this.hasLeftQueue) return "gone";
    if (event.type === "queue_update" && !event.messages.some((one) => one.messageId === messageId)) {
      this.hasLeftQueue = true;
      // The next event may be hours away, so ask the session whether this was the last one.
      const session = await this.client.get<Session>(sessionPath(this.receipt.sessionId));
      if (session.lastSeq <= event.seq) return "gone";
    }
    return "others";
  }

  /** Frames without a turn, such as the queue's, count as ours. */
  private isOurs(event: SessionEvent): boolean {
    return event.turnId === undefined || event.turnId === this.turnId;
  }

  /** After a restored backup the log no longer has our number; only the session shows whether the turn is still running. */
  private hasEnded({ session, queue }: SnapshotFrame): boolean {
    const { messageId } = this.receipt;
    return (
      session.turn?.messageId !== messageId && !queue.messages.some((one) => one.messageId === messageId)
    );
  }
}
