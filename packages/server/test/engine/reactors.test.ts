import { cp } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSession, encoded, extendLog } from "../../../../test/contract/store-fixtures.ts";
import { usually } from "../../../../test/kit/soak.ts";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { Background } from "../../src/engine/background.ts";
import { Feed } from "../../src/engine/reactions/feed.ts";
import { Reaction, type Reactor } from "../../src/engine/reactions/reactors.ts";
import { homeAt } from "../../src/home.ts";
import type { Announcement, Logger, SessionRow, Store } from "../../src/ports.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { but, silent } from "./support.ts";

/** Announces the number of every commit. */
const echo: Reactor = {
  name: "echo",
  handle: async ({ number, stream }) => [{ type: "echo", sessionId: stream, facts: { number } }],
};

async function react(store: Store, reactor: Reactor, logger: Logger = silent) {
  const background = new Background({ logger, storageAvailable: () => Promise.resolve() });
  const render = async ({ type, facts = {} }: Announcement) => ({ type, facts });
  const feed = new Feed({ store, background, logger, render });
  await feed.open();
  const reaction = new Reaction(reactor, { store, feed, background, logger });
  await reaction.start();
  return { reaction, background };
}

const openIn = (directory: string) => openSqliteStore({ file: homeAt(join(directory, ".drover")).database });

/** A store as a server leaves it when it is killed at this moment. */
async function openCrashed(from: string, to: string): Promise<Store> {
  await cp(join(from, ".drover"), join(to, ".drover"), { recursive: true });
  return openIn(to);
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed + 1;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const commitsMade = 16;

async function killedOnce(seed: number): Promise<void> {
  await using home = await tempDir();
  await using image = await tempDir();
  const random = randomFrom(seed);
  const killed = Promise.withResolvers<void>();
  await using real = await openIn(home.path);
  let left = random(8);
  const isKilledBefore = random(2) === 0;
  const store = but(real, {
    async handled(handled) {
      const isLast = left-- === 0;
      const stored = isLast && isKilledBefore ? [] : await real.handled(handled);
      if (!isLast) return stored;
      killed.resolve();
      return new Promise<never>(() => {});
    },
  });
  const { reaction } = await react(store, echo);
  const start = (await real.announced()).last;
  let row: SessionRow = await createSession(real);
  for (let seq = 1; seq < commitsMade; seq++) {
    row = await extendLog(real, row, { events: [encoded(seq, { type: "done" })], isNews: true });
    reaction.wake();
    // Sometimes several commits wait for one reaction.
    if (random(3) > 0) await new Promise(setImmediate);
  }
  let isKilled = false;
  void killed.promise.then(() => {
    isKilled = true;
  });
  await until(async () => isKilled || (await real.commits(0, 1)).length === 0);

  await using after = await openCrashed(home.path, image.path);
  const { background } = await react(after, echo);
  await background.close();
  const said = await after.announcements(start, 100);
  const all = Array.from({ length: commitsMade }, (_, index) => index + 1);
  expect(said.map(({ facts }) => facts?.["number"])).toEqual(all);
  expect(await after.commits(0, 1)).toEqual([]);
}

test("E1 a reactor killed between a commit and its reaction catches up, and nothing is announced twice", async () => {
  for (let seed = 0; seed < usually(10, { inSoak: 200 }); seed++) await killedOnce(seed);
});

test("a commit that a reactor cannot handle is logged, and the next ones are handled", async () => {
  await using home = await tempDir();
  await using store = await openIn(home.path);
  const errors: unknown[] = [];
  const logger = { ...silent, error: (_message: string, facts?: unknown) => void errors.push(facts) };
  const picky: Reactor = {
    name: "picky",
    handle: async (commit) => {
      if (commit.number === 2) throw new TypeError("a bug");
      return echo.handle(commit);
    },
  };
  const start = (await store.announced()).last;
  const { reaction, background } = await react(store, picky, logger);
  for (let n = 0; n < 3; n++) await createSession(store);
  reaction.wake();
  await background.close();
  expect((await store.announcements(start, 10)).map(({ facts }) => facts?.["number"])).toEqual([1, 3]);
  expect(errors).toMatchObject([{ reactor: "picky", commit: 2 }]);
});
