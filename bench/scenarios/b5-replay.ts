import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BurstOrder } from "../kit/burst-agent.ts";
import { wholeCheck } from "../kit/ledger.ts";
import { type Replay, replay, saveReplay, serveBare } from "../kit/replay.ts";
import { openRig } from "../kit/rig.ts";
import { median } from "../kit/stats.ts";
import { now } from "../kit/unit.ts";
import { forgetPeak, memoryOf } from "../kit/usage.ts";
import type { Check, Figure, Outcome, RunOptions, Scenario } from "../scenario.ts";

interface Size {
  readonly name: string;
  readonly order: BurstOrder;
}

const many = (count: number) => (count >= 1e6 ? `${count / 1e6} M` : `${count / 1e3} k`);

/** Updates of one kind are stored joined; alternating ones are separate items and events. */
const sizes = ({ smoke }: RunOptions): Size[] => {
  const [some, more] = smoke ? [5_000, 50_000] : [100_000, 1_000_000];
  return [
    { name: `${many(some)} updates, joined`, order: { count: some } },
    { name: `${many(more)} updates, joined`, order: { count: more } },
    { name: `${many(some)} updates, each its own event`, order: { count: some, alternate: true } },
  ];
};

const rateOf = (order: BurstOrder, runs: readonly Replay[]) =>
  order.count / median(runs.map(({ seconds }) => seconds));

async function measure({ name, order }: Size, { smoke, progress }: RunOptions): Promise<Outcome> {
  const rounds = smoke ? 1 : 3;
  await using rig = await openRig();
  progress(`${name}: storing`);
  using session = await rig.openSession();
  await session.warmUp();
  const start = now();
  const turn = await session.send(order);
  await session.done(turn);
  const stored = order.count / ((now() - start) / 1e6);
  session.reader.drop();

  // A new server has nothing of the log in memory.
  await rig.server.term();
  const server = await rig.restart();
  const log = { sessionId: session.id, turnId: turn.turnId };
  progress(`${name}: replaying`);
  forgetPeak(server.pid);
  const before = memoryOf(server.pid).now;
  const runs: Replay[] = [];
  const checks: Check[] = [];
  let grown = Number.NaN;
  for (let round = 0; round < rounds; round++) {
    const run = await replay(server, log);
    if (round === 0) grown = memoryOf(server.pid).peak - before;
    const finding = await session.check(turn, run.transcript);
    checks.push(wholeCheck(`${name}: replayed whole`, finding, run.gaps));
    runs.push(run);
  }

  const path = join(tmpdir(), `replay-${session.id}`);
  await saveReplay(server, log, { path, size: runs[0]?.bytes ?? 0 });
  const bare: Replay[] = [];
  await using floor = await serveBare(path);
  for (let round = 0; round < rounds; round++) bare.push(await replay(floor, log));
  await rm(path);

  const figures: Figure[] = [
    {
      what: `${name}: replayed`,
      value: rateOf(order, runs),
      unit: "events/s",
      floor: { what: "the same bytes, bare node:http", value: rateOf(order, bare) },
      target: "≥ 1 M",
    },
    {
      what: `${name}: first frame`,
      value: runs[0]?.firstMs ?? Number.NaN,
      unit: "ms",
      floor: { what: "bare node:http", value: bare[0]?.firstMs ?? Number.NaN },
      target: "< 10 ms",
    },
    { what: `${name}: server grows by`, value: grown, unit: "MB", target: "flat" },
    { what: `${name}: stored and sent`, value: stored, unit: "events/s" },
    { what: `${name}: frames with text`, value: runs[0]?.transcript.frames ?? Number.NaN, unit: "" },
  ];
  return { figures, checks };
}

export const b5: Scenario = {
  id: "B5",
  title: "replay of stored logs over SSE from the first event; events are the agent's updates",
  async run(options) {
    const outcomes: Outcome[] = [];
    for (const size of sizes(options)) outcomes.push(await measure(size, options));
    return {
      figures: outcomes.flatMap(({ figures }) => figures),
      checks: outcomes.flatMap(({ checks }) => checks),
    };
  },
};
