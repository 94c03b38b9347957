// An agent that writes as fast as a program can, or at an exact rate: lines are encoded before the clock runs, numbers
// are patched in place, and one write carries a megabyte. It speaks just enough ACP by hand for one conversation.
// The prompt is a `BurstOrder`.
import { createHash } from "node:crypto";
import { renameSync, writeFileSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { blankUnit, now, putUnit, UNIT } from "../kit/unit.ts";

export interface BurstOrder {
  /** How many updates. */
  count: number;
  /** Updates a second; as fast as the reader allows when there is none. */
  rate?: number;
  /** Text and thinking by turns, so that no two updates can be stored as one. */
  alternate?: boolean;
  /** Where the agent leaves its `BurstReport`, after its answer, so that nobody waits for it. */
  report?: string;
}

export interface BurstReport {
  count: number;
  /** Of all the texts joined, from the agent's own memory of what it wrote. */
  sha256: string;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { sessionId?: string; prompt?: { text?: string }[] };
}

const LINES_PER_WRITE = 2048;
const sessionId = `burst-${process.pid}`;
const clock = new Int32Array(new SharedArrayBuffer(4));

const line = (sessionUpdate: string) =>
  `${JSON.stringify({
    jsonrpc: "2.0",
    method: "session/update",
    params: { sessionId, update: { sessionUpdate, content: { type: "text", text: blankUnit } } },
  })}\n`;

/** Lines ready to be written, and where each one's unit is. */
interface Sheet {
  bytes: Buffer;
  units: number[];
  ends: number[];
}

function encodeSheet(alternate: boolean): Sheet {
  const kinds = alternate ? ["agent_message_chunk", "agent_thought_chunk"] : ["agent_message_chunk"];
  const lines = Array.from({ length: LINES_PER_WRITE }, (_, n) => line(kinds[n % kinds.length] ?? ""));
  const units: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const text of lines) {
    units.push(at + text.indexOf(blankUnit));
    at += text.length;
    ends.push(at);
  }
  return { bytes: Buffer.from(lines.join("")), units, ends };
}

/** Blocks until the kernel has it all. */
function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(clock, 0, 0, 1);
    }
  }
}

/** How many updates may have been written by now; waits for the next one when all of those have. */
function untilDue({ rate, count }: BurstOrder, start: number, written: number): number {
  if (rate === undefined) return count;
  const dueAt = start + ((written + 1) * 1e6) / rate;
  for (let left = dueAt - now(); left > 0; left = dueAt - now()) Atomics.wait(clock, 0, 0, left / 1000);
  return Math.min(count, Math.floor(((now() - start) * rate) / 1e6));
}

/** Returns when each update was written; nothing for a burst, which has no time to look at the clock. */
function burst(order: BurstOrder): Float64Array | undefined {
  const { bytes, units, ends } = encodeSheet(order.alternate ?? false);
  const stamps = order.rate === undefined ? undefined : new Float64Array(order.count);
  const start = now();
  let written = 0;
  while (written < order.count) {
    const due = untilDue(order, start, written);
    // Even, so that kinds go on alternating on the next sheet.
    const first = order.alternate ? written % 2 : 0;
    const size = Math.min(due - written, LINES_PER_WRITE - first);
    const stamp = stamps ? now() : 0;
    for (let n = 0; n < size; n++) {
      putUnit(bytes, units[first + n] ?? 0, { number: written + n, stamp });
      if (stamps) stamps[written + n] = stamp;
    }
    writeAll(bytes.subarray(first === 0 ? 0 : ends[first - 1], ends[first + size - 1]));
    written += size;
  }
  return stamps;
}

function report({ count, report: path }: BurstOrder, stamps: Float64Array | undefined): void {
  if (path === undefined) return;
  const hash = createHash("sha256");
  const unit = Buffer.from(blankUnit);
  const page = Buffer.alloc(UNIT * LINES_PER_WRITE);
  for (let from = 0; from < count; from += LINES_PER_WRITE) {
    const size = Math.min(LINES_PER_WRITE, count - from);
    for (let n = 0; n < size; n++) {
      putUnit(unit, 0, { number: from + n, stamp: stamps?.[from + n] ?? 0 });
      unit.copy(page, n * UNIT);
    }
    hash.update(page.subarray(0, size * UNIT));
  }
  const done: BurstReport = { count, sha256: hash.digest("hex") };
  writeFileSync(`${path}.part`, JSON.stringify(done));
  renameSync(`${path}.part`, path);
}

const answer = (id: Message["id"], result: object): void => {
  if (id !== undefined) writeAll(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
};

createInterface({ input: process.stdin })
  .on("line", (text) => {
    if (text.trim() === "") return;
    const { id, method, params } = JSON.parse(text) as Message;
    if (method === "initialize") answer(id, { protocolVersion: 1, agentCapabilities: {} });
    else if (method === "session/new") answer(id, { sessionId });
    else if (method === "session/prompt") {
      const order = JSON.parse(params?.prompt?.[0]?.text ?? "") as BurstOrder;
      const stamps = burst(order);
      answer(id, { stopReason: "end_turn" });
      report(order, stamps);
    }
  })
  .on("close", () => process.exit(0));
