import { expect, test } from "vitest";
import { type CollectionOptions, type ListPage, LiveCollection } from "../src/state/live-collection.ts";

interface Item {
  readonly id: string;
  readonly version: number;
  readonly hidden?: boolean;
}

const item = (id: string, version = 1): Item => ({ id, version });

/** A collection whose lists arrive, and a connection that opens, when the test decides. */
function collect(options: Partial<CollectionOptions<Item>> = {}) {
  const asked: { cursor: string | undefined; answer: (page: ListPage<Item> | undefined) => Promise<void> }[] =
    [];
  let open: () => void = () => undefined;
  const collection = new LiveCollection<Item>({
    idOf: ({ id }) => id,
    compare: (a, b) => a.id.localeCompare(b.id),
    isOlder: (a, b) => a.version < b.version,
    fetchPage: (cursor) => {
      const page = Promise.withResolvers<ListPage<Item> | undefined>();
      asked.push({
        cursor,
        answer: async (answer) => {
          page.resolve(answer);
          // By the time a later task runs, everything that follows the answer has run.
          await new Promise((resolve) => setImmediate(resolve));
        },
      });
      return page.promise;
    },
    onOpen: (listener) => {
      open = listener;
      return () => {
        open = () => undefined;
      };
    },
    ...options,
  });
  const added: string[] = [];
  collection.onAdded(({ id }) => added.push(id));
  const shown = () => collection.state.get().items.map(({ id, version }) => `${id}${version}`);
  return { collection, asked, added, shown, open: () => open() };
}

test("it is listed in order when the connection opens, and again on every reconnect", async () => {
  const { collection, asked, shown, open } = collect();
  expect(collection.state.get()).toEqual({ loaded: false, items: [] });
  open();
  await asked[0]?.answer({ items: [item("b"), item("a")] });
  expect(collection.state.get().loaded).toBe(true);
  expect(shown()).toEqual(["a1", "b1"]);
  open();
  await asked[1]?.answer({ items: [item("b", 2), item("c")] });
  expect(shown()).toEqual(["b2", "c1"]);
});

test("announcements that arrive while a list loads are applied on top of it", async () => {
  const { collection, asked, shown, open } = collect();
  open();
  collection.put(item("new"));
  collection.put(item("changed", 2));
  collection.remove("removed");
  expect(shown()).toEqual(["changed2", "new1"]);
  await asked[0]?.answer({ items: [item("changed"), item("kept"), item("removed")] });
  expect(shown()).toEqual(["changed2", "kept1", "new1"]);
});

test("a newer record is never replaced by an older one, wherever that comes from", async () => {
  const { collection, asked, shown, open } = collect();
  open();
  await asked[0]?.answer({ items: [item("a", 5)] });
  collection.put(item("a", 4));
  collection.learn(item("a", 4));
  expect(shown()).toEqual(["a5"]);
  open();
  collection.put(item("a", 6));
  await asked[1]?.answer({ items: [item("a", 7)] });
  expect(shown()).toEqual(["a7"]);
  open();
  await asked[2]?.answer({ items: [item("a", 6)] });
  expect(shown()).toEqual(["a7"]);
});

test("between equal versions, an announced record wins and a listed one does not", () => {
  const { collection } = collect();
  const [first, second, third] = [item("a"), item("a"), item("a")];
  collection.put(first);
  collection.put(second);
  expect(collection.find("a")).toBe(second);
  collection.learn(third);
  expect(collection.find("a")).toBe(second);
});

test("a list overtaken by a later refresh is dropped, and so is one that failed", async () => {
  const { asked, shown, open } = collect();
  open();
  open();
  await asked[1]?.answer({ items: [item("late")] });
  await asked[0]?.answer({ items: [item("early")] });
  expect(shown()).toEqual(["late1"]);
  open();
  await asked[2]?.answer(undefined);
  expect(shown()).toEqual(["late1"]);
});

test("older pages are added on request, and a refresh lists as far back as before", async () => {
  const { collection, asked, shown, open } = collect();
  open();
  await asked[0]?.answer({ items: [item("a"), item("b")], more: "2" });
  const loading = collection.loadMore();
  collection.remove("c");
  await asked[1]?.answer({ items: [item("b"), item("c"), item("d")], more: "4" });
  await loading;
  expect(asked[1]?.cursor).toBe("2");
  expect(shown()).toEqual(["a1", "b1", "d1"]);
  open();
  await asked[2]?.answer({ items: [item("a"), item("b")], more: "2" });
  await asked[3]?.answer({ items: [item("d"), item("e")], more: "4" });
  expect(shown()).toEqual(["a1", "b1", "d1", "e1"]);
  expect(collection.state.get().more).toBe("4");
});

test("an older page overtaken by a refresh is dropped", async () => {
  const { collection, asked, shown, open } = collect();
  open();
  await asked[0]?.answer({ items: [item("a")], more: "1" });
  const loading = collection.loadMore();
  open();
  await asked[2]?.answer({ items: [item("b")], more: "1" });
  await asked[1]?.answer({ items: [item("z")] });
  await loading;
  expect(shown()).toEqual(["b1"]);
  expect(collection.state.get().more).toBe("1");
});

test("additions are reported once: when announced, or when a later list contains them", async () => {
  const { collection, asked, added, open } = collect();
  open();
  collection.put(item("announced"));
  await asked[0]?.answer({ items: [item("announced"), item("first")] });
  collection.put(item("first", 2));
  expect(added).toEqual(["announced"]);
  open();
  collection.put(item("meanwhile"));
  await asked[1]?.answer({ items: [item("announced"), item("first"), item("missed"), item("meanwhile")] });
  expect(added).toEqual(["announced", "meanwhile", "missed"]);
});

test("a record that no longer belongs is removed and not listed", async () => {
  const { collection, asked, added, shown, open } = collect({ belongs: ({ hidden }) => !hidden });
  open();
  await asked[0]?.answer({ items: [item("a"), { ...item("b"), hidden: true }] });
  expect(shown()).toEqual(["a1"]);
  collection.put({ ...item("a", 2), hidden: true });
  collection.put({ ...item("c"), hidden: true });
  expect(shown()).toEqual([]);
  expect(added).toEqual([]);
});

test("records missing from a list stay if their owner wants to look them up", async () => {
  const unlisted: string[] = [];
  const { collection, asked, shown, open } = collect({
    onUnlisted: (items) => unlisted.push(...items.map(({ id }) => id)),
  });
  open();
  await asked[0]?.answer({ items: [item("a"), item("b")] });
  open();
  collection.put(item("c"));
  await asked[1]?.answer({ items: [item("b")] });
  expect(unlisted).toEqual(["a"]);
  expect(shown()).toEqual(["a1", "b1", "c1"]);
  collection.remove("a");
  expect(shown()).toEqual(["b1", "c1"]);
});

test("once closed it lists no more and ignores a list in flight", async () => {
  const { collection, asked, shown, open } = collect();
  open();
  collection.close();
  open();
  expect(asked).toHaveLength(1);
  await asked[0]?.answer({ items: [item("a")] });
  expect(shown()).toEqual([]);
});
