import { wholeCheck } from "../kit/ledger.ts";
import { openRig } from "../kit/rig.ts";
import { runOverSdk } from "../kit/sdk-client.ts";
import { median } from "../kit/stats.ts";
import { now } from "../kit/unit.ts";
import { cpuSecondsOf } from "../kit/usage.ts";
import type { Check, RunOptions, Scenario } from "../scenario.ts";
import { rawFloor } from "./floor.ts";

const size = ({ smoke }: RunOptions) =>
  smoke ? { count: 20_000, rounds: 1 } : { count: 1_000_000, rounds: 3 };

interface Burst {
  /** From the POST of the message until the client has read the end of the turn. */
  readonly rate: number;
  /** The server's processor time per update, in microseconds; steadier than the rate. */
  readonly cost: number;
  readonly check: Check;
}

async function burst(count: number, env: Record<string, string>): Promise<Burst> {
  await using rig = await openRig(env);
  using session = await rig.openSession();
  await session.warmUp();
  const spent = cpuSecondsOf(rig.server.pid);
  const start = now();
  const turn = await session.send({ count });
  await session.done(turn);
  const seconds = (now() - start) / 1e6;
  const cost = ((cpuSecondsOf(rig.server.pid) - spent) * 1e6) / count;
  const finding = await session.check(turn);
  const check = wholeCheck("nothing is lost or duplicated", finding, session.reader.gaps);
  return { rate: count / seconds, cost, check };
}

export const b1: Scenario = {
  id: "B1",
  title: "one agent bursts updates as fast as it can; durable, published after commit, one client",
  async run(options) {
    const { count, rounds } = size(options);
    const env = options.profile ? { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir="${options.profile}"` } : {};
    const costs: number[] = [];
    const rates = { raw: [] as number[], drover: [] as number[], sdk: [] as number[] };
    const checks: Check[] = [];
    // Alternating, so that a machine that slows down affects all three.
    for (let round = 1; round <= rounds; round++) {
      options.progress(`round ${round} of ${rounds}`);
      const raw = await rawFloor(count);
      const drover = await burst(count, env);
      const sdk = await runOverSdk({ count });
      rates.raw.push(raw.rate);
      rates.drover.push(drover.rate);
      costs.push(drover.cost);
      rates.sdk.push(sdk.updates / sdk.seconds);
      checks.push(raw.check, drover.check);
    }
    const value = median(rates.drover);
    const figure = { what: "stored, sent and read", value, unit: "events/s" } as const;
    return {
      figures: [
        { ...figure, floor: { what: "raw", value: median(rates.raw) }, target: "≥ 65 %" },
        { ...figure, floor: { what: "SDK client", value: median(rates.sdk) }, target: "≥ 3 ×" },
        { what: "processor time of the server per update", value: median(costs), unit: "µs" },
      ],
      checks,
    };
  },
};
