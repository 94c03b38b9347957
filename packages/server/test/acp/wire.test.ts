import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { loadSdk, openWire, type Wire } from "../../src/drivers/acp/wire.ts";

/** A wire whose agent is an array of lines. */
async function wire(epoch: number): Promise<{ wire: Wire; written: Record<string, unknown>[] }> {
  const written: Record<string, unknown>[] = [];
  const opened = openWire(await loadSdk(), {
    epoch,
    write: async (line) => {
      expect(line.endsWith("\n")).toBe(true);
      written.push(JSON.parse(line));
    },
    respond: async (requestKey) => (requestKey === "7" ? { outcome: { outcome: "cancelled" } } : undefined),
    onResponse: () => undefined,
  });
  return { wire: opened, written };
}

test("an answer to an earlier server's request is dropped, ours is taken", async () => {
  const { wire: ours, written } = await wire(2);
  let answer: unknown;
  const asked = ours.request("session/set_mode", {}).then((result) => {
    answer = result;
  });
  await until(() => written.length === 1);
  expect(written[0]).toMatchObject({ id: "e2:0", method: "session/set_mode" });
  expect(ours.methodOf("e2:0")).toBe("session/set_mode");
  for (const id of ["e1:0", "e1:1", 0, "0", "e2:1", "p:trn_1"]) ours.accept({ id, result: { from: id } });
  ours.accept({ id: "e2:0", result: { from: "e2:0" } });
  await asked;
  expect(answer).toEqual({ from: "e2:0" });
  expect(ours.methodOf("e2:0")).toBeUndefined();
  ours.close();
});

test("the agent's requests are answered under their own ids", async () => {
  const { wire: ours, written } = await wire(2);
  ours.accept({ id: 7, method: "session/request_permission", params: { anything: true } });
  ours.accept({ id: "x", method: "session/request_permission", params: {} });
  ours.accept({ id: null, method: "fs/write_text_file", params: {} });
  await until(() => written.length === 3);
  expect(written).toContainEqual({ jsonrpc: "2.0", id: 7, result: { outcome: { outcome: "cancelled" } } });
  expect(written).toContainEqual(
    expect.objectContaining({ id: "x", error: expect.objectContaining({ code: -32602 }) }),
  );
  expect(written).toContainEqual(
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32601 }) }),
  );
  ours.close();
});

test("an input that fails does not close the wire", async () => {
  let fails = true;
  const ours = openWire(await loadSdk(), {
    epoch: 1,
    write: () => (fails ? Promise.reject(new Error("full")) : Promise.resolve()),
    respond: async () => undefined,
    onResponse: () => undefined,
  });
  ours.request("session/close", {}).catch(() => undefined);
  fails = false;
  const second = ours.request("session/list", {});
  await until(() => ours.methodOf("e1:1"));
  ours.accept({ id: "e1:1", result: { sessions: [] } });
  expect(await second).toEqual({ sessions: [] });
  ours.close();
});

test("a closed wire writes and takes nothing", async () => {
  const { wire: ours, written } = await wire(1);
  ours.close();
  ours.accept({ id: 7, method: "session/request_permission", params: {} });
  await expect(ours.request("session/list", {})).rejects.toThrow();
  expect(written).toEqual([]);
});
