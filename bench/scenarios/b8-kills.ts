import { type Finding, wholeCheck } from "../kit/ledger.ts";
import { type BurstSession, type BurstTurn, openRig, type Rig } from "../kit/rig.ts";
import { median } from "../kit/stats.ts";
import { Transcript } from "../kit/transcript.ts";
import { now } from "../kit/unit.ts";
import type { Check, RunOptions, Scenario } from "../scenario.ts";

const size = ({ smoke }: RunOptions) => (smoke ? { kills: 2, count: 50_000 } : { kills: 20, count: 200_000 });

/** Points spread evenly and irregularly over (0, 1): multiples of the golden ratio. */
const spread = (n: number) => (n * 0.618033988749895) % 1;

interface Kill {
  readonly turn: BurstTurn;
  /** Part of the turn was still missing when the next server took over. */
  readonly isMidBurst: boolean;
  /** From the kill until the new server listens. */
  readonly listeningMs: number;
  /** From the kill to the first event read from the new server. */
  readonly liveMs: number;
}

/** One turn whose server is killed when the client has read `share` of it; the next server delivers the rest. */
async function killAt(share: number, { rig, session, count }: Rounds): Promise<Kill> {
  const { reader, transcript } = session;
  const turn = await session.send({ count });
  const ledger = transcript.ledger(turn.turnId);
  await transcript.until(() => ledger.units >= share * count, { what: `${share} of the turn is read` });
  const { connections } = reader;
  const continues = () => reader.connections > connections && reader.cursor > reader.resumedAt;
  const isOver = () => transcript.dones(turn.turnId).length > 0;
  const start = now();
  await rig.server.kill9();
  await rig.restart();
  const listeningMs = (now() - start) / 1000;
  await transcript.until(() => continues() || isOver(), { what: "the next server continues" });
  const liveMs = (now() - start) / 1000;
  // Otherwise the end of the turn was in the dead server's last bytes, still in the socket.
  const isMidBurst = continues();
  await session.done(turn);
  return { turn, isMidBurst, listeningMs, liveMs };
}

interface Rounds {
  readonly rig: Rig;
  readonly session: BurstSession;
  readonly count: number;
}

/** All turns as one finding. */
async function findAll(session: BurstSession, turns: readonly BurstTurn[], by: Transcript): Promise<Finding> {
  const findings = [];
  for (const turn of turns) findings.push(await session.check(turn, by));
  return {
    missing: findings.reduce((sum, { missing }) => sum + missing, 0),
    twice: findings.reduce((sum, { twice }) => sum + twice, 0),
    isWhole: findings.every(({ isWhole }) => isWhole),
    latencies: [],
  };
}

/** The reconnecting client, and a later one that reads the store: both must have every turn complete. */
async function checkTurns(session: BurstSession, turns: readonly BurstTurn[]): Promise<Check[]> {
  const stayed = session.transcript;
  const late = new Transcript();
  using reader = session.read((frame, at) => late.take(frame, at));
  const last = turns.at(-1)?.turnId ?? "";
  await late.until(() => late.dones(last).length > 0, { what: "the end of the log" });
  const endsOf = (by: Transcript) => turns.map(({ turnId }) => by.dones(turnId).length);
  const ends = [...endsOf(stayed), ...endsOf(late)];
  return [
    wholeCheck(
      "0 missing, 0 duplicated for the client that reconnected",
      await findAll(session, turns, stayed),
      session.reader.gaps,
    ),
    wholeCheck("0 missing, 0 duplicated in the store", await findAll(session, turns, late), reader.gaps),
    { what: "every turn ends once", ok: ends.every((count) => count === 1), seen: ends.join(" ") },
  ];
}

export const b8: Scenario = {
  id: "B8",
  title: "kill -9 of the server during bursts",
  async run(options) {
    const { kills: killCount, count } = size(options);
    await using rig = await openRig();
    using session = await rig.openSession();
    await session.warmUp();
    const kills: Kill[] = [];
    for (
      let n = 1;
      kills.filter(({ isMidBurst }) => isMidBurst).length < killCount && n <= 2 * killCount;
      n++
    ) {
      options.progress(`kill ${n} of ${killCount}`);
      kills.push(await killAt(0.02 + 0.9 * spread(n), { rig, session, count }));
    }
    const amid = kills.filter(({ isMidBurst }) => isMidBurst);
    return {
      figures: [
        {
          what: "kill to listening, median",
          value: median(amid.map((kill) => kill.listeningMs)),
          unit: "ms",
        },
        {
          what: "kill to the next event read, median",
          value: median(amid.map((kill) => kill.liveMs)),
          unit: "ms",
        },
        {
          what: "kill to the next event read, worst",
          value: Math.max(...amid.map((kill) => kill.liveMs)),
          unit: "ms",
          target: "< 2,000 ms",
        },
      ],
      checks: [
        {
          what: `${killCount} kills happen during a burst`,
          ok: amid.length === killCount,
          seen: `${amid.length}`,
        },
        ...(await checkTurns(
          session,
          kills.map(({ turn }) => turn),
        )),
      ],
    };
  },
};
