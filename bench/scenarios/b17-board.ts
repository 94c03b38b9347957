import type { Page } from "playwright-core";
import { FixtureServer } from "../../packages/web/test/fixture/server.ts";
import { FixtureSession } from "../../packages/web/test/fixture/session.ts";
import { buildWeb } from "../../scripts/build-web.ts";
import { launchBrowser } from "../../test/kit/browser.ts";
import { findChromium } from "../../test/kit/programs.ts";
import { type Frames, longest, share, watchFrames } from "../kit/frames.ts";
import type { Outcome, RunOptions, Scenario } from "../scenario.ts";

/** How often each of the busy workers writes a line. */
const everyMs = 200;

interface Load {
  readonly cards: number;
  readonly busy: number;
  readonly seconds: number;
}

const review = { ahead: 1, behind: 0, files: 3, added: 120, removed: 8, into: "main", work: "w" } as const;

/** A board as it is after a long day: a few workers at work, some to look at, most of them merged. */
function fill(server: FixtureServer, { cards, busy }: Load): FixtureSession[] {
  const workers = Array.from({ length: cards }, (_, at) => {
    const session = server.add(
      new FixtureSession({
        ...{ kind: "worker", name: `worker-${at}`, title: `Task ${at}: make the checkout faster` },
        worker: { mode: "execute", tries: 1, lastLine: "Reading the files that it concerns." },
      }),
    );
    session.begin("go");
    if (at < busy) return session;
    if (at % 7 === 0) {
      session.question([{ id: "q1", question: "Which one?", options: [], multiSelect: false }]);
      return session;
    }
    session.end();
    session.emit({ type: "review", ...review, state: at % 3 === 0 ? "open" : "merged" });
    return session;
  });
  return workers.slice(0, busy);
}

/** Each busy worker writes a line, and is announced as the server would. */
async function work(
  server: FixtureServer,
  busy: readonly FixtureSession[],
  seconds: number,
): Promise<number> {
  const end = performance.now() + seconds * 1000;
  let lines = 0;
  while (performance.now() < end) {
    for (const session of busy) {
      const { worker } = session.details;
      const lastLine = `Line ${lines++}: the sum of all prices is rounded once.`;
      if (worker) session.details = { ...session.details, worker: { ...worker, lastLine } };
      server.broadcast({
        type: "session_upserted",
        session: { ...session.record(), updatedAt: new Date().toISOString() },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  return lines;
}

/** Tells for how long the page's main thread has been busy, in milliseconds. */
async function busyClock(page: Page): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await devtools.send("Performance.getMetrics");
    return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1e3;
  };
}

async function measure(
  server: FixtureServer,
  page: Page,
  { load, progress }: { readonly load: Load; readonly progress: RunOptions["progress"] },
): Promise<Outcome> {
  const busy = fill(server, load);
  await page.goto(`${server.url}/#/board`);
  await page
    .locator("[data-worker]")
    .nth(load.cards - 1)
    .waitFor();
  progress(`${load.cards} cards, ${load.busy} of them changing`);
  const watch = await watchFrames(page);
  const busyMs = await busyClock(page);
  const before = await busyMs();
  const lines = await work(server, busy, load.seconds);
  await page
    .getByText(`Line ${lines - 1}:`)
    .first()
    .waitFor();
  const msPerLine = ((await busyMs()) - before) / lines;
  const frames: Frames = await watch.frames();
  const { cards, busy: changing } = load;
  return {
    figures: [
      {
        what: `${cards} cards, ${changing} changing 5 times a second: longest frame`,
        value: longest(frames),
        unit: "ms",
        target: "< 100 ms",
      },
      { what: "99 % of frames within", value: share(frames, 0.99), unit: "ms" },
      { what: "the page's main thread, per change", value: msPerLine, unit: "ms" },
    ],
    checks: [
      {
        what: "every card is on the board",
        ok: (await page.locator("[data-worker]").count()) === cards,
      },
    ],
  };
}

export const b17: Scenario = {
  id: "B17",
  title: "the board in Chromium: 200 workers, 20 of which write five lines a second",
  async run({ smoke, progress }) {
    if (!findChromium()) {
      progress("Chromium is not installed; skipped");
      return { figures: [], checks: [] };
    }
    await buildWeb();
    await using server = await FixtureServer.start();
    await using browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      storageState: server.storageState(),
    });
    const load = smoke ? { cards: 20, busy: 5, seconds: 1 } : { cards: 200, busy: 20, seconds: 20 };
    return await measure(server, await context.newPage(), { load, progress });
  },
};
