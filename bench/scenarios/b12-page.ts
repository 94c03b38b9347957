import { setTimeout } from "node:timers/promises";
import { findChromium } from "../../test/kit/programs.ts";
import { type BrowserRig, openBrowserRig, type Weight } from "../kit/browser-rig.ts";
import { type Frames, longest, scroll, share, watchFrames } from "../kit/frames.ts";
import { now } from "../kit/unit.ts";
import type { Check, Figure, Outcome, RunOptions, Scenario } from "../scenario.ts";

const many = (count: number) => (count >= 1e6 ? `${count / 1e6} M` : `${count / 1e3} k`);

/** From navigation until the last row of the transcript is on the screen. */
async function open({ page, url }: BrowserRig, name: string): Promise<number> {
  await page.goto(`${url}/`);
  await page
    .getByRole("link", { name: new RegExp(name) })
    .first()
    .waitFor();
  const start = now();
  await page.evaluate((session) => {
    location.hash = `#/s/${session}`;
  }, name);
  await page.locator("[role=log] [data-seq]").last().waitFor();
  await page
    .getByText(/Idle|Done/)
    .first()
    .waitFor();
  return (now() - start) / 1e3;
}

const frameFigures = (what: string, frames: Frames): Figure[] => [
  { what: `${what}: longest frame`, value: longest(frames), unit: "ms", target: "< 100 ms" },
  { what: `${what}: 99 % of frames within`, value: share(frames, 0.99), unit: "ms" },
];

const smallDom = (what: string, { nodes }: Weight): Check => ({
  what: `${what}: the document stays small`,
  ok: nodes < 30_000,
  seen: `${nodes} nodes`,
});

async function longTranscript(rig: BrowserRig, { smoke, progress }: RunOptions): Promise<Outcome> {
  const count = smoke ? 2_000 : 100_000;
  const name = `${many(count)} items`;
  progress(`${name}: writing`);
  const session = await rig.write("colleague", { items: count });
  progress(`${name}: opened`);
  const openMs = await open(rig, session.name);
  const fresh = await rig.weigh();
  progress(`${name}: scrolled up`);
  const up = await scroll(rig.page, { pixelsPerFrame: -300, seconds: smoke ? 2 : 40 });
  progress(`${name}: and down`);
  const down = await scroll(rig.page, { pixelsPerFrame: 300, seconds: smoke ? 1 : 20 });
  const after = await rig.weigh();
  return {
    figures: [
      { what: `${name}: opened`, value: openMs, unit: "ms", target: "< 1 s" },
      ...frameFigures(`${name}: scrolled up`, up),
      ...frameFigures(`${name}: scrolled down`, down),
      { what: `${name}: heap when opened`, value: fresh.heapMb, unit: "MB" },
      { what: `${name}: heap after scrolling`, value: after.heapMb, unit: "MB", target: "< 300 MB" },
      { what: `${name}: nodes of the document`, value: after.nodes, unit: "" },
    ],
    checks: [
      smallDom(name, after),
      { what: `${name}: the heap holds a window`, ok: after.heapMb < 300, seen: `${after.heapMb} MB` },
    ],
  };
}

interface Talk {
  readonly items: number;
  /** Words per second. */
  readonly rate: number;
  readonly weighMs: number;
}

/** Follows a turn from its first word to its end: every frame, and the page's memory over time. */
async function follow(rig: BrowserRig, { items, rate, weighMs }: Talk) {
  const session = await rig.begin("colleague", { items, rate });
  await rig.page.goto(`${rig.url}/#/s/${session.name}`);
  await rig.page.locator("[role=log] [data-seq]").first().waitFor();
  const watched = await watchFrames(rig.page);
  const weights: Weight[] = [];
  let isOver = false;
  const ended = rig.ended(session).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([ended, setTimeout(weighMs, undefined, { ref: false })]);
    weights.push(await watched.apart(rig.weigh));
  }
  const frames = await watched.frames();
  const { lastSeq } = await ended;
  await rig.page
    .getByText(/Idle|Done/)
    .first()
    .waitFor();
  return { frames, weights, lastSeq };
}

/** The usual output rate of a model. */
const pace = 50;

async function talkAtModelPace(rig: BrowserRig, { smoke, progress }: RunOptions): Promise<Outcome> {
  progress("talk at its own pace: following");
  const { frames } = await follow(rig, { items: smoke ? 10 : 300, rate: pace, weighMs: 120_000 });
  return { figures: frameFigures("talk at its own pace", frames), checks: [] };
}

/** An hour of an agent's output, twenty times as fast. */
async function longTalk(rig: BrowserRig, { smoke, progress }: RunOptions): Promise<Outcome> {
  progress("an hour of talk: following");
  const talk = smoke
    ? { items: 60, rate: 8 * pace, weighMs: 500 }
    : { items: 14_000, rate: 20 * pace, weighMs: 15_000 };
  const { frames, weights, lastSeq } = await follow(rig, talk);
  const [early = { heapMb: 0, nodes: 0 }] = weights.slice(Math.floor(weights.length / 4));
  const late = weights.at(-1) ?? early;
  return {
    figures: [
      { what: `talk: events followed`, value: lastSeq, unit: "" },
      ...frameFigures("talk", frames),
      { what: "talk: heap after a quarter", value: early.heapMb, unit: "MB" },
      { what: "talk: heap at the end", value: late.heapMb, unit: "MB", target: "flat" },
    ],
    checks: [
      smallDom("talk", late),
      {
        what: "talk: the heap stays flat",
        // In a smoke run a quarter is too early: the page has not yet loaded what it keeps.
        ok: late.heapMb <= (smoke ? early.heapMb * 1.5 + 10 : early.heapMb * 1.1 + 1),
        seen: `${early.heapMb} MB, then ${late.heapMb} MB`,
      },
    ],
  };
}

async function millionEvents(rig: BrowserRig, { smoke, progress }: RunOptions): Promise<Outcome> {
  const count = smoke ? 5_000 : 1_000_000;
  const name = `${many(count)} events`;
  progress(`${name}: writing`);
  const session = await rig.write("burst", { count, alternate: true });
  const openMs = await open(rig, session.name);
  const weight = await rig.weigh();
  return {
    figures: [
      { what: `${name}: opened`, value: openMs, unit: "ms", target: "< 1 s" },
      { what: `${name}: heap when opened`, value: weight.heapMb, unit: "MB" },
    ],
    checks: [smallDom(name, weight)],
  };
}

export const b12: Scenario = {
  id: "B12",
  title: "the page in Chromium: a long transcript opened and scrolled, an hour of talk followed",
  async run(options) {
    if (!findChromium()) {
      options.progress("Chromium is not installed; skipped");
      return { figures: [], checks: [] };
    }
    await using rig = await openBrowserRig();
    const outcomes = [
      await longTranscript(rig, options),
      await talkAtModelPace(rig, options),
      await longTalk(rig, options),
      await millionEvents(rig, options),
    ];
    return {
      figures: outcomes.flatMap(({ figures }) => figures),
      checks: outcomes.flatMap(({ checks }) => checks),
    };
  },
};
