import type { Item } from "@drover/core";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import type { AgentConnection } from "../../src/ports.ts";
import { but, granted, type Stage, Staged } from "./support.ts";

type Write = (content: string) => Promise<void>;

/** An agent that works until it is interrupted; `write` handles messages that steer it. */
const takes = (write: (messageId: string) => Write | undefined): Stage => ({
  agent: "stays-silent",
  capabilities: { steer: true },
  connection: (real: AgentConnection) => but(real, { steer: write }),
});

const messages = async (staged: Staged, id: string): Promise<Item[]> =>
  granted(await staged.service.sessions.items(id, { limit: 500 })).items.filter(
    ({ kind }) => kind === "user",
  );

async function working(staged: Staged): Promise<string> {
  const { id } = await staged.create();
  await staged.send(id, "work");
  await until(async () => (await staged.store.session(id))?.runtime.attempt?.prompt.phase === "written");
  return id;
}

test("steering messages reach the agent in order, within the running turn", async () => {
  const delivered: string[] = [];
  await using staged = await Staged.open(takes(() => async (content) => void delivered.push(content)));
  const id = await working(staged);
  const { turn } = await staged.get(id);
  for (const content of ["left", "right"]) {
    expect(await staged.steer(id, content)).toMatchObject({ applied: "steered", turnId: turn?.id });
  }
  await until(() => delivered.length === 2, { what: "both are delivered" });
  expect(delivered).toEqual(["left", "right"]);
  const said = await messages(staged, id);
  expect(said.map(({ text }) => text)).toEqual(["work", "left", "right"]);
  expect(said.every(({ turnId }) => turnId === turn?.id)).toBe(true);
  expect(await staged.get(id)).toMatchObject({ queued: 0, turn: { id: turn?.id } });
});

test("a steering message waits at the head of the queue if the agent's turn is already over", async () => {
  await using staged = await Staged.open(takes(() => undefined));
  const id = await working(staged);
  await staged.send(id, "later");
  await staged.steer(id, "now");
  const { messages: queued } = granted(await staged.service.sessions.queue(id));
  expect(queued.map(({ content }) => content)).toEqual(["now", "later"]);
  expect((await messages(staged, id)).map(({ text }) => text)).toEqual(["work"]);
});

test("a steering message that was not yet written when the server died is delivered by the next one", async () => {
  const home = await tempDir();
  const begun: string[] = [];
  const never = (messageId: string) => async () => {
    begun.push(messageId);
    await new Promise(() => {});
  };
  const before = await Staged.open({ ...takes(never), home });
  const id = await working(before);
  const { messageId } = await before.steer(id, "left");
  await until(() => begun.length === 1, { what: "it is being written" });
  await before.close();

  const delivered: [string, string][] = [];
  const write = (of: string) => async (content: string) => void delivered.push([of, content]);
  await using after = await Staged.open({ ...takes(write), home });
  await after.engine.recover();
  await until(() => delivered.length > 0, { what: "it is delivered" });
  expect(delivered).toEqual([[messageId, "left"]]);
  await until(async () => (await after.store.session(id))?.runtime.attempt?.prompt.steers?.[0]?.isWritten);
  expect((await messages(after, id)).map(({ text }) => text)).toEqual(["work", "left"]);
});
