import type { DatabaseSync, StatementSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { type Append, StoreError } from "../ports.ts";
import { isBusy, translateSqliteError } from "./sqlite-error.ts";

export type Durability = Append["durability"];

/** Part of a transaction. It may throw a StoreError, but only before its first write. */
export type Work<T> = () => T;

interface Job {
  readonly durability: Durability;
  readonly work: Work<unknown>;
  /** When to stop waiting for another program that holds the database. */
  readonly until: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How soon to retry while another program holds the database. */
const retryMs = 10;

export interface WriterHooks {
  /** The group was rolled back: anything remembered about it is wrong. */
  readonly undone: () => void;
  /** An error other than a StoreError occurred. */
  readonly failed: (error: unknown) => void;
  readonly committed: () => void;
}

/**
 * Group commit: everything requested in one tick shares a transaction, and no promise resolves before COMMIT. A group
 * that contains a command reaches the disk before it counts (synchronous=FULL); output alone does not wait. While
 * another program holds the database everything is queued and the event loop continues: SQLite's own waiting would
 * block every reader.
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

  /** Resolves when everything requested so far is committed or rejected. */
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
    for (const finish of settle) finish();
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

  /** A full or busy store rejects everything. Any other failure belongs to one job: each is retried alone. */
  private fail(group: readonly Job[], error: unknown): void {
    if (group.length > 1 && !(error instanceof StoreError)) {
      for (const job of group) this.run([job]);
      return;
    }
    if (!(error instanceof StoreError)) this.hooks.failed(error);
    for (const { reject } of group) reject(error);
  }

  /** Cannot be changed inside a transaction, and costs nothing if unchanged. */
  private sync(wanted: "FULL" | "NORMAL"): void {
    if (this.synchronous === wanted) return;
    this.db.exec(`PRAGMA synchronous = ${wanted}`);
    this.synchronous = wanted;
  }
}

/** How a job is settled once the group is committed. */
function attempt({ work, resolve, reject }: Job): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return () => reject(error);
  }
}
