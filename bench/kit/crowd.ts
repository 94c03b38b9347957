// Many clients of one session, each of which checks every update it reads and keeps none.
import type { Target } from "../../test/kit/server.ts";
import type { BurstReport } from "../agents/burst.ts";
import type { Check } from "../scenario.ts";
import { EventReader } from "./event-reader.ts";
import { quickFrame } from "./quick-frame.ts";
import { Tally } from "./tally.ts";

export interface Member {
  readonly reader: EventReader;
  readonly tally: Tally;
}

export interface CrowdOptions {
  readonly target: Target;
  readonly sessionId: string;
  readonly after: number;
  readonly size: number;
}

/** Resolves when all streams are open, before any output of the next turn. */
export async function gather({ target, sessionId, after, size }: CrowdOptions): Promise<Crowd> {
  const members: Member[] = [];
  const opened: Promise<void>[] = [];
  for (let n = 0; n < size; n++) {
    const tally = new Tally({ isHashed: n === 0 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const onFrame = tally.take.bind(tally);
    const options = { target: () => target, sessionId, after, decode: quickFrame, onOpen: resolve, onFrame };
    members.push({ reader: new EventReader(options), tally });
    opened.push(promise);
  }
  await Promise.all(opened);
  return new Crowd(members);
}

export class Crowd implements Disposable {
  readonly members: readonly Member[];

  constructor(members: readonly Member[]) {
    this.members = members;
  }

  /** Resolves when every client has read the turn's end. */
  async ended(): Promise<void> {
    await Promise.all(this.members.map(({ tally }) => tally.ended));
  }

  check(what: string, written: BurstReport): Check {
    const incomplete = this.members.filter(({ reader, tally }) => reader.gaps > 0 || !tally.isWhole(written));
    const worst = incomplete[0];
    const about =
      worst &&
      `${worst.tally.next} of ${written.count}, ${worst.tally.wrong} wrong, ${worst.reader.gaps} gaps`;
    return {
      what,
      ok: incomplete.length === 0,
      seen: `${incomplete.length} clients are incomplete: ${about}`,
    };
  }

  [Symbol.dispose](): void {
    for (const { reader } of this.members) reader.drop();
  }
}
