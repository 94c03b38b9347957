import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "vitest";
import type { Store } from "../../packages/server/src/ports.ts";
import { tempDir } from "../kit/temp.ts";
import { accountsContract } from "./accounts.ts";
import { alarmsContract } from "./alarms.ts";
import { eventLogContract } from "./event-log.ts";
import { filingsContract } from "./filings.ts";
import { interactionsContract } from "./interactions.ts";
import { itemsContract } from "./items.ts";
import { maintenanceContract } from "./maintenance.ts";
import { ownersContract } from "./owners.ts";
import { proposalsContract } from "./proposals.ts";
import { reactionsContract } from "./reactions.ts";
import { recordsContract } from "./records.ts";
import { reviewedSessionsContract } from "./reviewed-sessions.ts";
import { sessionsContract } from "./sessions.ts";
import { unreadSessionsContract } from "./unread-sessions.ts";

export interface StoreKind {
  /** Opens a store that keeps everything below a directory; reopened there, it has the same content. */
  readonly open: (directory: string) => Promise<Store>;
  /** Where a backup must be written so that `open` finds it in a directory. */
  readonly fileIn: (directory: string) => string;
}

/** A new store for one test: `await using place = await newStore()`. */
export type NewStore = () => Promise<StorePlace>;

interface StorePlace extends AsyncDisposable {
  readonly store: Store;
  readonly reopen: () => Promise<Store>;
  /** Backs the store up and opens the copy. */
  readonly backUp: () => Promise<Store>;
}

/** What every implementation of the store's ports must do. */
export function storeContract(name: string, { open, fileIn }: StoreKind): void {
  const newStore: NewStore = async () => {
    const directory = await tempDir("store-");
    let store = await open(directory.path);
    const copies: Store[] = [];
    return {
      get store() {
        return store;
      },
      async reopen() {
        await store[Symbol.asyncDispose]();
        store = await open(directory.path);
        return store;
      },
      async backUp() {
        const target = join(directory.path, `backup-${copies.length}`);
        await mkdir(target);
        await store.backup(fileIn(target));
        const copy = await open(target);
        copies.push(copy);
        return copy;
      },
      async [Symbol.asyncDispose]() {
        for (const each of [store, ...copies]) await each[Symbol.asyncDispose]();
        await directory.remove();
      },
    };
  };
  describe(name, () => {
    describe("event log", () => {
      eventLogContract(newStore);
      ownersContract(newStore);
    });
    describe("sessions", () => {
      sessionsContract(newStore);
      unreadSessionsContract(newStore);
      reviewedSessionsContract(newStore);
      filingsContract(newStore);
      itemsContract(newStore);
      interactionsContract(newStore);
      proposalsContract(newStore);
    });
    describe("records", () => {
      recordsContract(newStore);
      reactionsContract(newStore);
      alarmsContract(newStore);
      accountsContract(newStore);
    });
    describe("maintenance", () => maintenanceContract(newStore));
  });
}
