import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { granted, Staged } from "./support.ts";

const at = (ms: number) => new Date(Date.now() + ms).toISOString();

const sendAt = async ({ service }: Staged, id: string, notBefore: string) => {
  const message = { content: "hello", disposition: "queue", strict: false, notBefore } as const;
  return granted(await service.sessions.send(id, message, { by: "api" }));
};

const turns = async (staged: Staged, id: string) =>
  (await staged.types(id)).filter((type) => type === "turn_start").length;

test("a scheduled message is sent once at its time, by the server running then", async () => {
  const home = await tempDir();
  const first = await Staged.open({ agent: "echo", home });
  await first.engine.recover();
  const { id } = await first.create();
  expect(await sendAt(first, id, at(1_500))).toMatchObject({ applied: "queued" });
  expect(await first.get(id)).toMatchObject({ queued: 1, state: "idle" });
  expect(await first.store.alarms()).toMatchObject([{ kind: "message", sessionId: id }]);
  await first.close();

  await using staged = await Staged.open({ agent: "echo", home });
  await staged.engine.recover();
  await staged.when(id, ({ lastTurn }) => lastTurn !== undefined);
  expect(await staged.get(id)).toMatchObject({ queued: 0, lastTurn: { ok: true } });
  expect(await turns(staged, id)).toBe(1);
  await until(async () => (await staged.store.alarms()).length === 0);
});

test("a scheduled message can be removed along with its alarm", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { id } = await staged.create();
  const { messageId } = await sendAt(staged, id, at(3_600_000));
  granted(await staged.service.sessions.dropQueued(id, messageId));
  expect(await staged.store.alarms()).toEqual([]);
  expect(await turns(staged, id)).toBe(0);
});

test("a time in the past does not delay a message", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { id } = await staged.create();
  expect(await sendAt(staged, id, at(-1_000))).toMatchObject({ applied: "started" });
});
