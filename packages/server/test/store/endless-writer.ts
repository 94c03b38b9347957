// A program that appends to one session until it is killed. It prints each number only after the store acknowledged it.
import { createSession, extendLog, stretch } from "../../../../test/contract/store-fixtures.ts";
import { homeAt } from "../../src/home.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";

const [directory = ".", id = ""] = process.argv.slice(2);
const store = await openSqliteStore({ file: homeAt(directory).database });
let row = (await store.session(id)) ?? (await createSession(store, { id, live: true }));
for (;;) {
  const { lastSeq } = row.state;
  const events = [1, 2, 3].map((n) => stretch(lastSeq + n, lastSeq + n, "x".repeat(500)));
  const compacted = lastSeq > 3 ? [stretch(lastSeq - 1, lastSeq, "whole")] : [];
  const durability = lastSeq % 5 === 0 ? "command" : "output";
  row = await extendLog(store, row, { events, compacted, durability });
  process.stdout.write(`${row.state.lastSeq}\n`);
}
