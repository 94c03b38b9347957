import type { BurstOrder, BurstReport } from "../kit/burst-agent.ts";
import { gather } from "../kit/crowd.ts";
import { type BurstSession, openRig, type Rig } from "../kit/rig.ts";
import { now } from "../kit/unit.ts";
import { forgetPeak, memoryOf } from "../kit/usage.ts";
import type { Check, Figure, Given, Scenario } from "../scenario.ts";

/** 1 KB of text in every update. */
const UNITS = 4;
const LIVE = 9;

const size = ({ smoke }: Given): BurstOrder => ({ count: smoke ? 10_000 : 1_000_000, units: UNITS });

interface Setting {
  readonly rig: Rig;
  readonly session: BurstSession;
  readonly order: BurstOrder;
}

interface Burst {
  /** The most the server held beyond what it held when the burst began. */
  readonly grownMb: number;
  /** From the message to its turn's end in nine clients' hands. */
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

/** The same beside one that has its stream open and reads none of it until the others have everything. */
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
      { what: "the stalled one catches up with", value: order.count / seconds, unit: "events/s" },
      { what: "times it was cut off", value: cuts, unit: "" },
    ],
    stalled: [crowd.check("the stalled one resumes with nothing lost and nothing twice", beside.written)],
  };
}

export const b6: Scenario = {
  id: "B6",
  title: "one stalled and nine live clients of a burst of 1 KB updates",
  async run(given) {
    const order = size(given);
    await using rig = await openRig();
    using session = await rig.openSession();
    await session.warmUp();
    const setting = { rig, session, order };
    given.tell("nine live clients");
    const alone = await burst(setting);
    given.tell("one stalled and nine live clients");
    const beside = await burstBesideStalled(setting);
    const what = "the burst before, without the stalled one";
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
