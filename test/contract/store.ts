import { describe } from "vitest";
import type { Store } from "../../packages/server/src/ports.ts";
import { tempDir } from "../kit/temp.ts";
import { storeLogContract } from "./store-log.ts";
import { storeReactionsContract } from "./store-reactions.ts";
import { storeRecordsContract } from "./store-records.ts";
import { storeSessionsContract } from "./store-sessions.ts";

/** Opens a store that keeps everything below a directory; opened again there, it has what it had. */
export type OpenStore = (directory: string) => Promise<Store>;

/** A new store of its own for one test: `await using place = await newStore()`. */
export type NewStore = () => Promise<{ store: Store; reopen: () => Promise<Store> } & AsyncDisposable>;

/** What every implementation of the Store port does, whatever it is made of. */
export function storeContract(name: string, open: OpenStore): void {
  const newStore: NewStore = async () => {
    const directory = await tempDir("store-");
    let store = await open(directory.path);
    return {
      get store() {
        return store;
      },
      async reopen() {
        await store[Symbol.asyncDispose]();
        store = await open(directory.path);
        return store;
      },
      async [Symbol.asyncDispose]() {
        await store[Symbol.asyncDispose]();
        await directory.remove();
      },
    };
  };
  describe(name, () => {
    describe("the log", () => storeLogContract(newStore));
    describe("sessions", () => storeSessionsContract(newStore));
    describe("records", () => storeRecordsContract(newStore));
    describe("reactions", () => storeReactionsContract(newStore));
  });
}
