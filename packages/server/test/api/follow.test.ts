import fc from "fast-check";
import { expect, test } from "vitest";
import { follow, type Sink, type Source } from "../../src/api/stream/follow.ts";
import type { EncodedEvent } from "../../src/ports.ts";
import type { EventListener } from "../../src/service.ts";

const event = (from: number, seq = from): EncodedEvent => ({
  ...{ from, seq, type: "text_delta" },
  data: JSON.stringify({ type: "text_delta", seq, from }),
});

type Step = { kind: "append"; count: number } | { kind: "join" | "read" | "page" | "take" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant("append" as const), count: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constantFrom("join" as const, "read" as const, "page" as const, "take" as const) }),
);

/** A log and a client whose answers arrive when the test decides. */
class World {
  readonly log: EncodedEvent[] = [];
  readonly sent: EncodedEvent[] = [];
  last = 0;
  isBehind = false;
  private readonly listeners = new Set<EventListener>();
  private readonly reads: (() => void)[] = [];
  private readonly pages: (() => void)[] = [];
  private readonly takes: (() => void)[] = [];

  readonly source: Source = {
    isGapless: true,
    // What is stored after the read is not on the page, however late the page arrives.
    read: (after) =>
      new Promise((resolve) => {
        this.reads.push(() => {
          const page = this.log.filter(({ seq }) => seq > after).slice(0, 3);
          this.pages.push(() => resolve(page));
        });
      }),
    subscribe: (listener) => {
      this.listeners.add(listener);
      return { [Symbol.dispose]: () => void this.listeners.delete(listener) };
    },
  };

  private readonly taken = async () => {
    await new Promise<void>((resolve) => this.takes.push(resolve));
    return true;
  };

  readonly sink: Sink = {
    replay: (events) => {
      this.sent.push(...events);
      return this.taken();
    },
    live: (events) => {
      if (this.isBehind) return false;
      this.sent.push(...events);
      return true;
    },
    taken: this.taken,
    fail: (error) => {
      throw error;
    },
  };

  async do(next: Step): Promise<void> {
    if (next.kind === "append") {
      const batch = Array.from({ length: next.count }, () => event(++this.last));
      this.log.push(...batch);
      for (const listener of this.listeners) listener(batch);
    } else if (next.kind === "join") {
      const end = this.log.pop();
      const start = this.log.pop();
      if (start && end) this.log.push(event(start.from, end.seq));
      else if (end) this.log.push(end);
    } else if (next.kind === "read") this.reads.shift()?.();
    else if (next.kind === "page") this.pages.shift()?.();
    else this.takes.shift()?.();
    await new Promise(setImmediate);
  }

  async settle(): Promise<void> {
    for (let idle = 0; idle < 3; idle++) {
      while (this.reads.length + this.pages.length + this.takes.length > 0) {
        for (const kind of ["read", "page", "take"] as const) await this.do({ kind });
        idle = 0;
      }
      await new Promise(setImmediate);
    }
  }
}

test("S1 however reading, joining and storing interleave, a follower sees every number once and in order", async () => {
  const steps = fc.array(fc.tuple(step, fc.boolean()), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(fc.nat(6), steps, async (start, plan) => {
      const world = new World();
      if (start > 0) await world.do({ kind: "append", count: start });
      const after = Math.floor(start / 2);
      using _following = follow({ source: world.source, after, sink: world.sink });
      for (const [next, isBehind] of plan) {
        world.isBehind = isBehind;
        await world.do(next);
      }
      world.isBehind = false;
      await world.settle();
      let last = after;
      for (const { from, seq, data } of world.sent) {
        expect(from).toBe(last + 1);
        expect(JSON.parse(data)).toMatchObject({ from, seq });
        last = seq;
      }
      expect(last).toBe(world.last);
    }),
    { numRuns: 1_000 },
  );
});
