import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { type Append, StoreError } from "../ports.ts";
import { isBusy, translateSqliteError } from "./sqlite-error.ts";

export type Durability = Append["durability"];

/** Part of a transaction. It may refuse with a StoreError, but only before its first write. */
export type Work<T> = () => T;

interface Job {
  readonly durability: Durability;
  readonly work: Work<unknown>;
  /** When its patience with another program that holds the database is over. */
  readonly until: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How soon a database that another program holds is tried again. */
const retryMs = 10;

export interface WriterHooks {
  /** The group was undone: whatever was remembered of it is wrong. */
  readonly undone: () => void;
  /** Something other than a refusal happened. */
  readonly failed: (error: unknown) => void;
  readonly committed: () => void;
}

/**
 * Group commit: everything asked for in one tick shares a transaction, and no promise resolves before COMMIT.
 * A group with a command in it reaches the disk before it counts (synchronous=FULL); output alone does not wait.
 * While another program holds the database everything waits its turn and the event loop goes on: SQLite's own waiting
 * would hold up every reader with it.
 */
export class GroupWriter {
  private readonly db: DatabaseSync;
  private readonly hooks: WriterHooks;
  private readonly patienceMs: number;
  private readonly begin: StatementSync;
  private readonly commit: StatementSync;
  private waiting: Job[] = [];
  private synchronous: "FULL" | "NORMAL" | undefined;

  constructor(db: DatabaseSync, hooks: WriterHooks, patienceMs: number) {
    this.db = db;
    this.hooks = hooks;
    this.patienceMs = patienceMs;
    this.begin = db.prepare("BEGIN IMMEDIATE");
    this.commit = db.prepare("COMMIT");
  }

  write<T>(durability: Durability, work: Work<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.waiting.length === 0) setImmediate(() => this.flush());
    const until = performance.now() + this.patienceMs;
    this.waiting.push({ durability, work, until, resolve: resolve as (value: unknown) => void, reject });
    return promise;
  }

  /** Everything asked for until now is committed or refused. */
  async drain(): Promise<void> {
    this.flush();
    while (this.waiting.length > 0) await pause(retryMs);
  }

  private flush(): void {
    const group = this.waiting;
    this.waiting = [];
    if (group.length > 0) this.run(group);
  }

  private run(group: readonly Job[]): void {
    const settle: (() => void)[] = [];
    try {
      this.sync(group.some(({ durability }) => durability === "command") ? "FULL" : "NORMAL");
      this.begin.run();
      for (const job of group) settle.push(attempt(job));
      this.commit.run();
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      this.hooks.undone();
      if (isBusy(error)) this.wait(group, error);
      else this.fail(group, translateSqliteError(error));
      return;
    }
    for (const tell of settle) tell();
    this.hooks.committed();
  }

  private wait(group: readonly Job[], error: unknown): void {
    const now = performance.now();
    const patient = group.filter(({ until }) => until > now);
    const refused = group.filter(({ until }) => until <= now);
    if (refused.length > 0) this.fail(refused, translateSqliteError(error));
    if (patient.length === 0) return;
    this.waiting.unshift(...patient);
    setTimeout(() => this.flush(), retryMs);
  }

  /** A full or busy store refuses everyone. Any other failure belongs to one of them: each is tried alone. */
  private fail(group: readonly Job[], error: unknown): void {
    if (group.length > 1 && !(error instanceof StoreError)) {
      for (const job of group) this.run([job]);
      return;
    }
    if (!(error instanceof StoreError)) this.hooks.failed(error);
    for (const { reject } of group) reject(error);
  }

  /** Cannot be changed inside a transaction, and costs nothing when it stays. */
  private sync(wanted: "FULL" | "NORMAL"): void {
    if (this.synchronous === wanted) return;
    this.db.exec(`PRAGMA synchronous = ${wanted}`);
    this.synchronous = wanted;
  }
}

/** How the job is told once the group is committed. */
function attempt({ work, resolve, reject }: Job): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return () => reject(error);
  }
}
