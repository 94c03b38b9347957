import { runBare } from "../kit/bare-program.ts";
import type { BurstOrder } from "../kit/burst-agent.ts";
import { type Crowd, gather } from "../kit/crowd.ts";
import { openRig } from "../kit/rig.ts";
import { quantile } from "../kit/stats.ts";
import { now } from "../kit/unit.ts";
import { cpuSecondsOf } from "../kit/usage.ts";
import type { Check, Figure, RunOptions, Scenario } from "../scenario.ts";

const RATE = 5_000;

const size = ({ smoke }: RunOptions) => (smoke ? { clients: 10, seconds: 1 } : { clients: 100, seconds: 20 });

interface FanOut {
  /** Updates per second that all clients read together. */
  readonly deliveries: number;
  readonly latencies: readonly number[];
}

/** The first tenth is left out of both latencies, because programs are still being compiled after their start. */
const settled = ({ members }: Crowd) =>
  members.flatMap(({ tally: { latencies } }) => latencies.slice(latencies.length / 10));

async function readAll(crowd: Crowd, { count }: BurstOrder): Promise<FanOut> {
  const start = now();
  await crowd.ended();
  const seconds = (now() - start) / 1e6;
  return { deliveries: (count * crowd.members.length) / seconds, latencies: settled(crowd) };
}

/** The same clients with a program that stores nothing. */
async function bareFanOut(order: BurstOrder, clients: number): Promise<FanOut> {
  await using server = await runBare("bare-fan-out.ts", JSON.stringify({ clients, order }));
  using crowd = await gather({ target: server, sessionId: "bare", after: 0, size: clients });
  return await readAll(crowd, order);
}

async function fanOut(order: BurstOrder, clients: number): Promise<FanOut & { cost: number; check: Check }> {
  await using rig = await openRig();
  using session = await rig.openSession();
  await session.warmUp();
  using crowd = await gather({ target: rig.server, ...(await session.leave()), size: clients });
  const spent = cpuSecondsOf(rig.server.pid);
  const turn = await session.send(order);
  const read = await readAll(crowd, order);
  const cost = ((cpuSecondsOf(rig.server.pid) - spent) * 1e6) / (order.count * clients);
  const check = crowd.check("every client reads everything once", await turn.report());
  return { ...read, cost, check };
}

export const b4: Scenario = {
  id: "B4",
  title: "one session at 5,000 events/s to 100 clients",
  async run(options) {
    const { clients, seconds } = size(options);
    const order = { count: RATE * seconds, rate: RATE };
    options.progress(`${seconds} s to ${clients} clients of a bare server`);
    const bare = await bareFanOut(order, clients);
    options.progress(`${seconds} s to ${clients} clients of Drover`);
    const drover = await fanOut(order, clients);
    const what = "bare node:http, not durable";
    const late = (share: number): Figure => ({
      what: `p${share * 100}, written to read, of the oldest update in a frame`,
      value: quantile(drover.latencies, share),
      unit: "ms",
      floor: { what, value: quantile(bare.latencies, share) },
      ...(share === 0.99 ? { target: "< 15 ms" } : {}),
    });
    return {
      figures: [
        {
          ...{ what: "deliveries", value: drover.deliveries, unit: "events/s", target: "500 k" },
          floor: { what, value: bare.deliveries },
        },
        late(0.5),
        late(0.99),
        { what: "processor time of the server per delivery", value: drover.cost, unit: "µs" },
      ],
      checks: [drover.check],
    };
  },
};
