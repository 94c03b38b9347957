import { expect, test } from "vitest";
import { Background, untilStored } from "../../src/engine/background.ts";
import { StoreError } from "../../src/ports.ts";
import { silent } from "./support.ts";

const available = () => Promise.resolve();

test("closing waits for running tasks, and for the tasks they start", async () => {
  const background = new Background({ logger: silent, storageAvailable: available });
  const done: string[] = [];
  background.run(async () => {
    await new Promise(setImmediate);
    done.push("first");
    background.run(async () => {
      await new Promise(setImmediate);
      done.push("second");
    });
  });
  await background.close();
  expect(done).toEqual(["first", "second"]);
  background.run(async () => void done.push("too late"));
  await new Promise(setImmediate);
  expect(done).toEqual(["first", "second"]);
});

test("closing does not wait for a full store, nor forever for a stuck task", async () => {
  const warnings: string[] = [];
  const logger = { ...silent, warn: (message: string) => void warnings.push(message) };
  const full = new Background({ logger, storageAvailable: () => new Promise(() => {}) });
  full.run(() => Promise.reject(new StoreError("STORAGE_FULL", "No space is left")));
  await full.close();
  expect(warnings).toEqual(["The store rejected a change; retrying"]);

  const stuck = new Background({ logger, storageAvailable: available });
  stuck.run(() => new Promise(() => {}));
  await stuck.close();
  expect(warnings.at(-1)).toBe("Background tasks are still running");
});

test("only errors that may pass are retried", async () => {
  const storage = { logger: silent, storageAvailable: available };
  const refuse = (code: StoreError["code"]) => {
    const refusals = [new StoreError(code, "Refused"), new StoreError(code, "Refused again")];
    return untilStored(storage, async () => {
      const refusal = refusals.shift();
      if (refusal) throw refusal;
      return "stored";
    });
  };
  expect(await refuse("STORAGE_FULL")).toBe("stored");
  expect(await refuse("STORE_BUSY")).toBe("stored");
  await expect(refuse("STALE_OWNER")).rejects.toThrow("Refused");
  await expect(refuse("CONFLICT")).rejects.toThrow("Refused");
});
