// Just enough ACP for one conversation, without a library that would slow down the measurement.
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";

interface Message {
  id?: string | number;
  method?: string;
  params?: { sessionId?: string; prompt?: { text?: string }[] };
}

const clock = new Int32Array(new SharedArrayBuffer(4));

/** Sleeps for this many milliseconds, including fractions. */
export const sleepSync = (ms: number): void => void Atomics.wait(clock, 0, 0, ms);

/** Blocks until everything is written. */
export function writeAll(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      sleepSync(1);
    }
  }
}

const answer = (id: Message["id"], result: object): void => {
  if (id !== undefined) writeAll(Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`));
};

/** Answers until its input ends; `work` writes what the prompt asks for and may return what to do after the answer. */
export function converse(sessionId: string, work: (prompt: string) => (() => void) | undefined): void {
  createInterface({ input: process.stdin })
    .on("line", (text) => {
      if (text.trim() === "") return;
      const { id, method, params } = JSON.parse(text) as Message;
      if (method === "initialize") answer(id, { protocolVersion: 1, agentCapabilities: {} });
      else if (method === "session/new") answer(id, { sessionId });
      else if (method === "session/prompt") {
        const afterwards = work(params?.prompt?.[0]?.text ?? "");
        answer(id, { stopReason: "end_turn" });
        afterwards?.();
      }
    })
    .on("close", () => process.exit(0));
}
