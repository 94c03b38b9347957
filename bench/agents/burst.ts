// An agent that writes as fast as a program can, or at an exact rate: lines are encoded in advance, numbers are patched in
// place, and one write is about a megabyte. The prompt is a `BurstOrder`.
import { createHash } from "node:crypto";
import { renameSync, writeFileSync } from "node:fs";
import { converse, sleepSync, writeAll } from "../kit/bare-agent.ts";
import { blankUnit, now, putUnit, UNIT } from "../kit/unit.ts";

export interface BurstOrder {
  /** The number of updates. */
  count: number;
  /** Units in the text of one update (default 1). */
  units?: number;
  /** Updates per second; by default as fast as the reader allows. */
  rate?: number;
  /** Alternates text and thinking, so that no two updates can be stored as one. */
  alternate?: boolean;
  /** Where the agent writes its `BurstReport`, after its answer, so that this costs no measured time. */
  report?: string;
}

export interface BurstReport {
  /** The number of units. */
  count: number;
  /** The hash of all texts joined, as the agent wrote them. */
  sha256: string;
}

const LINES_PER_WRITE = 2048;
const sessionId = `burst-${process.pid}`;

const line = (sessionUpdate: string, text: string) =>
  `${JSON.stringify({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId, update: { sessionUpdate, content: { type: "text", text } } },
  })}\n`;

/** Encoded lines, and the position of each one's first unit. */
interface Sheet {
  bytes: Buffer;
  texts: number[];
  ends: number[];
}

function encodeSheet({ alternate = false, units = 1 }: BurstOrder): Sheet {
  const kinds = alternate ? ["agent_message_chunk", "agent_thought_chunk"] : ["agent_message_chunk"];
  const words = blankUnit.repeat(units);
  const lines = Array.from({ length: LINES_PER_WRITE }, (_, n) => line(kinds[n % kinds.length] ?? "", words));
  const texts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const text of lines) {
    texts.push(at + text.indexOf(blankUnit));
    at += text.length;
    ends.push(at);
  }
  return { bytes: Buffer.from(lines.join("")), texts, ends };
}

/** The number of updates due by now; waits for the next one if all of those are written. */
function untilDue({ rate, count }: BurstOrder, start: number, written: number): number {
  if (rate === undefined) return count;
  const dueAt = start + ((written + 1) * 1e6) / rate;
  for (let remaining = dueAt - now(); remaining > 0; remaining = dueAt - now()) sleepSync(remaining / 1000);
  return Math.min(count, Math.floor(((now() - start) * rate) / 1e6));
}

/** Returns when each update was written; empty for a burst, which has no time to read the clock. */
function burst(order: BurstOrder): Float64Array | undefined {
  const { bytes, texts, ends } = encodeSheet(order);
  const { units = 1 } = order;
  const stamps = order.rate === undefined ? undefined : new Float64Array(order.count);
  const start = now();
  let written = 0;
  while (written < order.count) {
    const due = untilDue(order, start, written);
    // Even, so that kinds keep alternating on the next sheet.
    const first = order.alternate ? written % 2 : 0;
    const size = Math.min(due - written, LINES_PER_WRITE - first);
    const stamp = stamps ? now() : 0;
    for (let n = 0; n < size; n++) {
      for (let unit = 0; unit < units; unit++) {
        const at = (texts[first + n] ?? 0) + unit * UNIT;
        putUnit(bytes, at, { number: (written + n) * units + unit, stamp });
      }
      if (stamps) stamps[written + n] = stamp;
    }
    writeAll(bytes.subarray(first === 0 ? 0 : ends[first - 1], ends[first + size - 1]));
    written += size;
  }
  return stamps;
}

function report(order: BurstOrder, stamps: Float64Array | undefined): void {
  const { report: path, units = 1 } = order;
  if (path === undefined) return;
  const count = order.count * units;
  const hash = createHash("sha256");
  const unit = Buffer.from(blankUnit);
  const page = Buffer.alloc(UNIT * LINES_PER_WRITE);
  for (let from = 0; from < count; from += LINES_PER_WRITE) {
    const size = Math.min(LINES_PER_WRITE, count - from);
    for (let n = 0; n < size; n++) {
      putUnit(unit, 0, { number: from + n, stamp: stamps?.[Math.floor((from + n) / units)] ?? 0 });
      unit.copy(page, n * UNIT);
    }
    hash.update(page.subarray(0, size * UNIT));
  }
  const done: BurstReport = { count, sha256: hash.digest("hex") };
  writeFileSync(`${path}.part`, JSON.stringify(done));
  renameSync(`${path}.part`, path);
}

converse(sessionId, (prompt) => {
  const order = JSON.parse(prompt) as BurstOrder;
  const stamps = burst(order);
  return () => report(order, stamps);
});
