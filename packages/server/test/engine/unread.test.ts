import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { granted, Staged } from "./support.ts";

/** A session with one turn that has ended. */
async function finished(staged: Staged) {
  const { id } = await staged.create();
  await staged.send(id, "hello");
  return staged.when(id, ({ lastTurn }) => lastTurn !== undefined);
}

const see = async ({ service }: Staged, id: string, seq: number) =>
  granted(await service.sessions.markSeen(id, { seq }));

test("a session is unread from the end of a turn until a person has seen that end", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const created = await staged.create();
  expect(created.unread).toBeUndefined();
  const { id, lastSeq, unread, updatedAt } = await finished(staged);
  expect(unread).toBe(true);
  expect(await see(staged, id, lastSeq - 1)).toMatchObject({ unread: true });

  const { last } = staged.service.feed;
  const seen = await see(staged, id, lastSeq);
  expect(seen).toMatchObject({ lastSeq, updatedAt });
  expect(seen.unread).toBeUndefined();
  expect((await staged.store.session(id))?.seenSeq).toBe(lastSeq);
  // An earlier announcement may still be on its way.
  await until(async () => {
    const news = (await staged.service.feed.after(last)).map(({ data }) => JSON.parse(data));
    const upserted = news.filter(({ type, session }) => type === "session_upserted" && session.id === id);
    return upserted.some(({ session }) => session.unread === undefined);
  });
});

test("a session cannot be marked as seen beyond its log, so the next turn makes it unread again", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { id, lastSeq } = await finished(staged);
  await see(staged, id, 1e9);
  expect((await staged.store.session(id))?.seenSeq).toBe(lastSeq);
  await staged.send(id, "again");
  await staged.when(id, ({ unread }) => unread === true);
});

test("marking a session as seen again stores nothing", async () => {
  await using staged = await Staged.open({ agent: "echo" });
  const { id, lastSeq } = await finished(staged);
  await see(staged, id, lastSeq);
  const before = (await staged.store.commits(0, 1000)).at(-1)?.number;
  await see(staged, id, lastSeq);
  await see(staged, id, 0);
  expect((await staged.store.commits(0, 1000)).at(-1)?.number).toBe(before);
  expect((await staged.get(id)).unread).toBeUndefined();
});
