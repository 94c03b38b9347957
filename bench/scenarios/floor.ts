import { runOverPipe } from "../kit/pipe.ts";
import { median } from "../kit/stats.ts";
import type { Check, Scenario } from "../scenario.ts";

/** Updates per second over a bare pipe, and whether all of them arrived. */
export async function rawFloor(count: number): Promise<{ rate: number; check: Check }> {
  const { updates, seconds } = await runOverPipe({ count });
  return {
    rate: updates / seconds,
    check: { what: "the floor reads every update", ok: updates === count, seen: `${updates} of ${count}` },
  };
}

export const floor: Scenario = {
  id: "floor",
  title: "raw: pipe and JSON.parse, 256 B payload",
  async run({ smoke }) {
    const runs = [];
    for (let round = 0; round < (smoke ? 1 : 3); round++)
      runs.push(await rawFloor(smoke ? 20_000 : 1_000_000));
    return {
      figures: [{ what: "updates parsed", value: median(runs.map(({ rate }) => rate)), unit: "events/s" }],
      checks: runs.map(({ check }) => check),
    };
  },
};
