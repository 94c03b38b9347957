import type { Receipt, Session, SessionEvent } from "@drover/core";
import type { Client } from "../server/client.ts";
import { sessionPath } from "../server/paths.ts";
import type { SnapshotFrame } from "./frames.ts";

/** Tells the frames of one message's turn from the others', however long it waits in the queue. */
export class OwnTurn {
  /** Known from the start when the message did not have to wait. */
  turnId: string | undefined;
  private readonly client: Client;
  private readonly receipt: Receipt;
  /** The message left the queue: the next frame is the start of its turn, or it was dropped. */
  private hasLeftQueue = false;

  constructor(client: Client, receipt: Receipt) {
    this.client = client;
    this.receipt = receipt;
    this.turnId = receipt.turnId;
  }

  /** `gone`: the turn will never come, or its end was missed for good. */
  async take(event: SessionEvent | SnapshotFrame): Promise<"ours" | "others" | "gone"> {
    if (event.type === "snapshot") return this.isOver(event) ? "gone" : "others";
    const { messageId } = this.receipt;
    if (event.type === "turn_start" && event.messageId === messageId) this.turnId = event.turnId;
    if (this.turnId !== undefined) return this.isOurs(event) ? "ours" : "others";
    if (this.hasLeftQueue) return "gone";
    if (event.type === "queue_update" && !event.messages.some((one) => one.messageId === messageId)) {
      this.hasLeftQueue = true;
      // Nothing may follow for hours: the session itself says whether this was the last event.
      const session = await this.client.get<Session>(sessionPath(this.receipt.sessionId));
      if (session.lastSeq <= event.seq) return "gone";
    }
    return "others";
  }

  /** Frames without a turn, such as the queue's, are told to whoever watches. */
  private isOurs(event: SessionEvent): boolean {
    return event.turnId === undefined || event.turnId === this.turnId;
  }

  /** The log no longer has our number (a restored backup): only the session can tell whether the turn still runs. */
  private isOver({ session, queue }: SnapshotFrame): boolean {
    const { messageId } = this.receipt;
    return (
      session.turn?.messageId !== messageId && !queue.messages.some((one) => one.messageId === messageId)
    );
  }
}
