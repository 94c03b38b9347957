import type { Receipt, SessionEvent } from "@drover/core";
import type { EncodedEvent } from "../../ports.ts";
import { type Sink, standingFrom } from "./follow.ts";

export interface TurnSinkOptions {
  readonly receipt: Receipt;
  readonly stream: Sink;
  /** The turn is over, or will never start. */
  readonly end: () => void;
}

/**
 * Passes the frames of one message's turn, however long the message waits in the queue, and ends after the turn's
 * `done`, or when the message is removed from the queue. A frame also covers the numbers skipped before it, so that
 * readers find no gap.
 */
export class TurnSink implements Sink {
  private readonly options: TurnSinkOptions;
  private turnId: string | undefined;
  /** The last number sent. */
  private last: number;
  private isOver = false;
  /** Removed from the queue without a turn: for good, unless the same commit also starts its turn. */
  private isDropped = false;

  constructor(options: TurnSinkOptions) {
    this.options = options;
    this.turnId = options.receipt.turnId;
    this.last = options.receipt.cursor;
  }

  async replay(events: readonly EncodedEvent[]): Promise<boolean> {
    const own = this.own(events);
    const isTaken = own.length > 0 ? await this.options.stream.replay(own) : true;
    return isTaken && !this.endIfOver();
  }

  live(events: readonly EncodedEvent[]): boolean {
    const { turnId, last } = this;
    const own = this.own(events);
    if (own.length > 0 && !this.options.stream.live(own)) {
      // The same events come again by replay.
      this.turnId = turnId;
      this.last = last;
      this.isOver = false;
      return false;
    }
    // A live batch consists of complete commits.
    this.caughtUp();
    return true;
  }

  caughtUp(): void {
    if (this.isDropped && this.turnId === undefined) this.isOver = true;
    this.endIfOver();
  }

  taken(): Promise<boolean> {
    return this.options.stream.taken();
  }

  fail(error: unknown): void {
    this.options.stream.fail(error);
  }

  private endIfOver(): boolean {
    if (this.isOver) this.options.end();
    return this.isOver;
  }

  private own(events: readonly EncodedEvent[]): EncodedEvent[] {
    const { messageId } = this.options.receipt;
    const own: EncodedEvent[] = [];
    for (const encoded of events) {
      if (this.isOver) break;
      // Most frames of other turns are recognized without decoding them.
      if (!encoded.data.includes(this.turnId ?? messageId) && encoded.type !== "queue_update") continue;
      const event = JSON.parse(encoded.data) as SessionEvent;
      if (event.type === "turn_start" && event.messageId === messageId) this.turnId = event.turnId;
      if (event.type === "queue_update")
        this.isDropped = !event.messages.some((m) => m.messageId === messageId);
      if (this.turnId === undefined || event.turnId !== this.turnId) continue;
      own.push(encoded.from === this.last + 1 ? encoded : standingFrom(encoded, this.last + 1));
      this.last = encoded.seq;
      this.isOver = event.type === "done";
    }
    return own;
  }
}
