import {
  type Announcement,
  type EventLog,
  type Logger,
  type Reactions,
  type StoredCommit,
  StoreError,
} from "../../ports.ts";
import type { Background } from "../background.ts";
import type { Feed } from "./feed.ts";

/**
 * Acts on commits, in order. After a crash it sees the commits again that it may not have finished, so its effects must
 * be idempotent. Its announcements are stored together with its cursor, exactly once.
 */
export interface Reactor {
  readonly name: string;
  handle(commit: StoredCommit): Promise<readonly Announcement[]>;
}

export interface ReactorParts {
  readonly store: Pick<EventLog, "commits"> & Pick<Reactions, "cursor" | "handled">;
  readonly feed: Pick<Feed, "storeAndEmit">;
  readonly background: Background;
  readonly logger: Logger;
}

const pageSize = 100;

/** Runs one reactor over all commits. */
export class Reaction {
  private readonly reactor: Reactor;
  private readonly parts: ReactorParts;
  /** The last commit it has handled; undefined until `start`. */
  private cursor: number | undefined;
  private state: "idle" | "running" | "again" = "idle";

  constructor(reactor: Reactor, parts: ReactorParts) {
    this.reactor = reactor;
    this.parts = parts;
  }

  async start(): Promise<void> {
    this.cursor = await this.parts.store.cursor(this.reactor.name);
    this.wake();
  }

  /** There are new commits. */
  wake(): void {
    if (this.cursor === undefined) return;
    if (this.state !== "idle") {
      this.state = "again";
      return;
    }
    this.state = "running";
    this.parts.background.run(() => this.catchUp());
  }

  private async catchUp(): Promise<void> {
    do {
      this.state = "running";
      while (await this.handleSome());
    } while (this.isNeededAgain());
    this.state = "idle";
  }

  // A function, because the compiler does not see that the state changes during an await.
  private isNeededAgain = () => this.state === "again";

  private async handleSome(): Promise<boolean> {
    const { store, feed } = this.parts;
    const commits = await store.commits(this.cursor ?? 0, pageSize);
    const last = commits.at(-1);
    if (!last) return false;
    const announcements: Announcement[] = [];
    for (const commit of commits) announcements.push(...(await this.handle(commit)));
    await feed.storeAndEmit(() =>
      store.handled({ reactor: this.reactor.name, number: last.number, announcements }),
    );
    this.cursor = last.number;
    return true;
  }

  /** One commit that cannot be handled must not block the following ones. */
  private async handle(commit: StoredCommit): Promise<readonly Announcement[]> {
    try {
      return await this.reactor.handle(commit);
    } catch (error) {
      // Retried while the store is full or busy.
      if (error instanceof StoreError && error.isTemporary) throw error;
      this.parts.logger.error("Reactor failed", {
        reactor: this.reactor.name,
        commit: commit.number,
        stream: commit.stream,
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      return [];
    }
  }
}
