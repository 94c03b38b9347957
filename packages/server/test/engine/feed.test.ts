import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { Background } from "../../src/engine/background.ts";
import { Feed } from "../../src/engine/reactions/feed.ts";
import { homeAt } from "../../src/home.ts";
import { type FeedEntry, type Store, StoreError } from "../../src/ports.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { but, silent } from "./support.ts";

async function openFeed(store: Store) {
  const background = new Background({ logger: silent, storageAvailable: () => Promise.resolve() });
  const feed = new Feed({
    ...{ store, background, logger: silent },
    render: async ({ type, facts = {} }) => ({ type, facts }),
  });
  await feed.open();
  return { feed, background, service: feed.asService() };
}

const news = (n: number) => ({ type: "test", sessionId: "ses_a", facts: { n } });

const numbersOf = (entries: readonly FeedEntry[]) => entries.map(({ data }) => JSON.parse(data).n);

test("E2 the feed continues its ids after a restart, and has what a client missed", async () => {
  await using home = await tempDir();
  const file = homeAt(home.path).database;
  let cursor: number;
  {
    await using store = await openSqliteStore({ file });
    const { feed, background, service } = await openFeed(store);
    const heard: FeedEntry[] = [];
    service.subscribe((entry) => heard.push(entry));
    for (let n = 0; n < 10; n++) feed.publish(news(n));
    await background.close();
    expect(numbersOf(heard)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    cursor = heard[3]?.id ?? 0;
  }
  await using store = await openSqliteStore({ file });
  const { feed, background, service } = await openFeed(store);
  expect(service.holds(cursor)).toBe(true);
  expect(numbersOf(await service.after(cursor))).toEqual([4, 5, 6, 7, 8, 9]);
  feed.publish(news(10));
  await background.close();
  expect(numbersOf(await service.after(cursor))).toEqual([4, 5, 6, 7, 8, 9, 10]);
  expect(service.holds(service.last + 1)).toBe(false);
  expect(service.holds(cursor - 1_000_000)).toBe(false);
});

test("announcements published while the store is busy reach subscribers once they are stored, in order", async () => {
  await using home = await tempDir();
  await using real = await openSqliteStore({ file: homeAt(home.path).database });
  let refusals = 3;
  const store = but(real, {
    announce: (announcements) =>
      refusals-- > 0
        ? Promise.reject(new StoreError("STORE_BUSY", "Another program holds the database"))
        : real.announce(announcements),
  });
  const { feed, background, service } = await openFeed(store);
  const heard: FeedEntry[] = [];
  service.subscribe((entry) => heard.push(entry));
  for (let n = 0; n < 5; n++) {
    feed.publish(news(n));
    await new Promise(setImmediate);
  }
  await expect.poll(() => numbersOf(heard)).toEqual([0, 1, 2, 3, 4]);
  await background.close();
});

test("a listener that throws does not keep other listeners from receiving announcements", async () => {
  await using home = await tempDir();
  await using store = await openSqliteStore({ file: homeAt(home.path).database });
  const { feed, background, service } = await openFeed(store);
  const heard: FeedEntry[] = [];
  service.subscribe(() => {
    throw new Error("a bug");
  });
  service.subscribe((entry) => heard.push(entry));
  feed.publish(news(1));
  feed.publish(news(2));
  await background.close();
  expect(numbersOf(heard)).toEqual([1, 2]);
});
