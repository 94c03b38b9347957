import { expect, onTestFinished, test, vi } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { StoreError } from "../../src/ports.ts";
import { Housekeeping } from "../../src/store/housekeeping.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const hourMs = 3_600_000;
const silent = { debug() {}, info() {}, warn() {}, error() {} };

test("the receipt of an HTTP intent is deleted after a day, that of a message is not", async () => {
  await using dir = await tempDir();
  let nowMs = Date.UTC(2026, 0, 1);
  const now = () => nowMs;
  await using store = await openSqliteStore({ file: homeAt(dir.path).database, now: () => new Date(now()) });
  await using housekeeping = new Housekeeping({ store, logger: silent, now });
  for (const key of ["http:early", "send:ses_a:id:early", "send:ses_a:http:early"]) {
    await store.saveReceipt({ key, hash: "h", answer: "{}" });
  }
  nowMs += 2 * hourMs;
  await store.saveReceipt({ key: "http:late", hash: "h", answer: "{}" });
  const kept = async () => {
    const keys = ["http:early", "http:late", "send:ses_a:id:early", "send:ses_a:http:early"];
    const found = await Promise.all(keys.map((key) => store.receipt(key)));
    return found.flatMap((receipt) => receipt?.key ?? []);
  };
  nowMs += 22 * hourMs;
  await housekeeping.run();
  expect(await kept()).toHaveLength(4);
  nowMs += 1;
  await housekeeping.run();
  expect(await kept()).toEqual(["http:late", "send:ses_a:id:early", "send:ses_a:http:early"]);
});

test("housekeeping runs every hour, even after a failure, and is awaited on close", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const warnings: string[] = [];
  const logger = { ...silent, warn: (message: string) => void warnings.push(message) };
  const pruned = Promise.withResolvers<void>();
  const outcomes = [Promise.reject(new StoreError("STORE_BUSY", "Busy")), pruned.promise];
  let calls = 0;
  const store = { pruneReceipts: () => outcomes[calls++] ?? Promise.resolve() };
  const housekeeping = new Housekeeping({ store, logger });
  vi.advanceTimersByTime(hourMs);
  vi.advanceTimersByTime(hourMs);
  let isClosed = false;
  const closing = housekeeping[Symbol.asyncDispose]().then(() => {
    isClosed = true;
  });
  await new Promise(setImmediate);
  expect({ calls, warnings, isClosed }).toEqual({
    calls: 2,
    warnings: ["Pruning receipts failed"],
    isClosed: false,
  });
  pruned.resolve();
  await closing;
  vi.advanceTimersByTime(hourMs);
  expect(calls).toBe(2);
});
