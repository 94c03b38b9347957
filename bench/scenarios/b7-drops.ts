import { setTimeout as pause } from "node:timers/promises";
import { wholeCheck } from "../kit/ledger.ts";
import { openRig } from "../kit/rig.ts";
import { now, stampAt, UNIT } from "../kit/unit.ts";
import type { Figure, RunOptions, Scenario } from "../scenario.ts";

const RATE = 5_000;
/** A client this close to the agent counts as live. */
const LIVE_MS = 100;

const seconds = ({ smoke }: RunOptions) =>
  smoke ? { drops: [0.2, 0.5], between: 0.2 } : { drops: [0.5, 1, 2, 5, 10, 30, 60], between: 1 };

export const b7: Scenario = {
  id: "B7",
  title: "a client drops at 5,000 events/s and resumes with its cursor",
  async run(options) {
    const { drops, between } = seconds(options);
    // Leave time for catching up.
    const span = drops.reduce((sum, away) => sum + away + 2 * between, 2);
    await using rig = await openRig();
    using session = await rig.openSession();
    await session.warmUp();
    const { reader, transcript } = session;
    const turn = await session.send({ count: Math.ceil(RATE * span), rate: RATE });
    const ledger = transcript.ledger(turn.turnId);
    const isLive = () => now() - stampAt(ledger.last, ledger.last.length - UNIT) < LIVE_MS * 1000;

    const figures: Figure[] = [];
    for (const away of drops) {
      await pause(between * 1000);
      const before = ledger.units;
      reader.drop();
      options.progress(`away for ${away} s`);
      await pause(away * 1000);
      const start = now();
      reader.resume();
      await transcript.until(() => ledger.units > before && isLive(), { what: "the client is live again" });
      figures.push({ what: `live again after ${away} s away`, value: (now() - start) / 1000, unit: "ms" });
    }
    await session.done(turn);
    const finding = await session.check(turn);
    return {
      figures,
      checks: [
        wholeCheck(`${drops.length} drops lose nothing and repeat nothing`, finding, reader.gaps),
        {
          what: "the agent wrote during all drops",
          ok: reader.connections > drops.length,
          seen: `${reader.connections} connections`,
        },
      ],
    };
  },
};
