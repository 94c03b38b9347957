import type { BurstOrder, BurstReport } from "../kit/burst-agent.ts";
import { gather } from "../kit/crowd.ts";
import { type BurstSession, openRig, type Rig } from "../kit/rig.ts";
import { now } from "../kit/unit.ts";
import { forgetPeak, memoryOf } from "../kit/usage.ts";
import type { Check, Figure, RunOptions, Scenario } from "../scenario.ts";

/** 1 KB of text in every update. */
const UNITS = 4;
const LIVE = 9;

const size = ({ smoke }: RunOptions): BurstOrder => ({ count: smoke ? 10_000 : 1_000_000, units: UNITS });

interface Setting {
  readonly rig: Rig;
  readonly session: BurstSession;
  readonly order: BurstOrder;
}

interface Burst {
  /** The server's peak memory above that at the start of the burst. */
  readonly grownMb: number;
  /** From the message until nine clients have read the end of its turn. */
  readonly seconds: number;
  readonly written: BurstReport;
  readonly check: Check;
}

/** Nine clients that read as fast as they can. */
async function burst({ rig, session, order }: Setting): Promise<Burst> {
  using live = await gather({ target: rig.server, ...(await session.leave()), size: LIVE });
  const { pid } = rig.server;
  forgetPeak(pid);
  const before = memoryOf(pid).now;
  const start = now();
  const turn = await session.send(order);
  await live.ended();
  const seconds = (now() - start) / 1e6;
  const grownMb = memoryOf(pid).peak - before;
  const written = await turn.report();
  return { grownMb, seconds, written, check: live.check("nine live clients read everything once", written) };
}

/** The same with a tenth client that reads nothing until the others have everything. */
async function burstBesideStalled(
  setting: Setting,
): Promise<Burst & { resumed: readonly Figure[]; stalled: readonly Check[] }> {
  const { rig, session, order } = setting;
  using crowd = await gather({ target: rig.server, ...(await session.leave()), size: 1 });
  for (const { reader } of crowd.members) reader.stall();
  const beside = await burst(setting);
  const start = now();
  for (const { reader } of crowd.members) reader.goOn();
  await crowd.ended();
  const seconds = (now() - start) / 1e6;
  const cuts = crowd.members.reduce((sum, { reader }) => sum + reader.connections - 1, 0);
  return {
    ...beside,
    resumed: [
      { what: "the stalled client catches up at", value: order.count / seconds, unit: "events/s" },
      { what: "times it was disconnected", value: cuts, unit: "" },
    ],
    stalled: [crowd.check("the stalled client resumes with nothing lost or duplicated", beside.written)],
  };
}

export const b6: Scenario = {
  id: "B6",
  title: "one stalled and nine live clients of a burst of 1 KB updates",
  async run(options) {
    const order = size(options);
    await using rig = await openRig();
    using session = await rig.openSession();
    await session.warmUp();
    const setting = { rig, session, order };
    options.progress("nine live clients");
    const alone = await burst(setting);
    options.progress("one stalled and nine live clients");
    const beside = await burstBesideStalled(setting);
    const what = "the same burst without the stalled client";
    return {
      figures: [
        {
          ...{ what: "server grows by", value: beside.grownMb, unit: "MB", target: "< 20 MB" },
          floor: { what, value: alone.grownMb },
        },
        {
          ...{
            what: "stored, sent to and read by nine",
            value: order.count / beside.seconds,
            unit: "events/s",
          },
          floor: { what, value: order.count / alone.seconds },
        },
        ...beside.resumed,
      ],
      checks: [alone.check, beside.check, ...beside.stalled],
    };
  },
};
