import { expect, test } from "vitest";
import { loadSdk, openWire } from "../../src/drivers/acp/wire.ts";

test("H8 an agent that keeps sending requests is read again only after it has taken the answers", async () => {
  const taken = Promise.withResolvers<void>();
  const written: string[] = [];
  const wire = openWire(await loadSdk(), {
    epoch: 1,
    write: (line) => {
      written.push(line);
      return taken.promise;
    },
    respond: async () => undefined,
    onResponse: () => undefined,
  });
  for (let id = 0; id < 100; id++) wire.accept({ id, method: "_x/unknown", params: {} });
  let isReadOn = false;
  const waiting = wire.written().then(() => {
    isReadOn = true;
  });
  await expect.poll(() => written.length).toBe(100);
  expect(isReadOn).toBe(false);
  // It exited without reading them.
  taken.reject(new Error("The agent's input has no reader"));
  await waiting;
  wire.close();
});
