import { wholeCheck } from "../kit/ledger.ts";
import { runOverPipe } from "../kit/pipe.ts";
import { openRig } from "../kit/rig.ts";
import { quantile } from "../kit/stats.ts";
import type { Figure, Scenario } from "../scenario.ts";

const RATE = 1_000;

/** The first second is left out of both, because programs are still being compiled after their start. */
const settled = (latencies: readonly number[]) => latencies.slice(RATE);

export const b2: Scenario = {
  id: "B2",
  title: "one session at 1,000 events/s: from the agent's write to the client's read",
  async run({ smoke, progress }) {
    const seconds = smoke ? 3 : 60;
    const order = { count: RATE * seconds, rate: RATE };
    progress(`${seconds} s over a pipe`);
    const pipe = await runOverPipe(order);
    progress(`${seconds} s through Drover`);
    await using rig = await openRig();
    using session = await rig.openSession();
    await session.warmUp();
    const turn = await session.send(order);
    await session.done(turn);
    const finding = await session.check(turn);

    const figure = (share: number): Figure => {
      const floor = quantile(settled(pipe.latencies), share);
      const isTail = share === 0.99;
      return {
        what: `p${share * 100}, written to read`,
        value: quantile(settled(finding.latencies), share),
        unit: "ms",
        floor: { what: "pipe, not durable", value: floor },
        ...(isTail ? { target: `≤ ${(3 * floor + 1).toFixed(2)} ms (3 × the pipe's + 1)` } : {}),
      };
    };
    return {
      figures: [figure(0.5), figure(0.99)],
      checks: [
        wholeCheck("nothing is lost or duplicated", finding, session.reader.gaps),
        {
          what: "the pipe reads every update",
          ok: pipe.updates === order.count,
          seen: `${pipe.updates} of ${order.count}`,
        },
      ],
    };
  },
};
