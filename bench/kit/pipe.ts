// The floor: the same agent on a pipe, with every line parsed and nothing else.
import type { Readable } from "node:stream";
import { type BurstOrder, burstProgram, type Program, spawnAgent } from "./burst-agent.ts";
import { now, stampAt } from "./unit.ts";

interface Message {
  id?: string;
  result?: { sessionId?: string };
  params?: { update: { content: { text: string } } };
}

export interface PipeRun {
  updates: number;
  /** From writing the prompt to parsing its answer. */
  seconds: number;
  /** Milliseconds from write to parse, one per update with a timestamp. */
  latencies: number[];
}

function onMessages(stream: Readable, receive: (message: Message) => void): void {
  let pending = "";
  stream.on("data", (chunk: Buffer) => {
    const text = pending + chunk.toString("latin1");
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      receive(JSON.parse(text.slice(from, at)));
      from = at + 1;
    }
    pending = text.slice(from);
  });
}

export interface PipeOptions {
  /** An agent other than the burst agent. */
  readonly program?: Program;
  /** Called with the text of every update. */
  readonly hear?: (text: string) => void;
}

/** One turn without Drover. */
export async function runOverPipe(
  order: Pick<BurstOrder, "count" | "rate">,
  { program = burstProgram, hear }: PipeOptions = {},
): Promise<PipeRun> {
  await using agent = spawnAgent(program);
  const waiting = new Map<string, (message: Message) => void>();
  const latencies: number[] = [];
  let updates = 0;
  onMessages(agent.stdout, (message) => {
    if (message.id !== undefined) {
      waiting.get(message.id)?.(message);
    } else if (message.params) {
      updates++;
      hear?.(message.params.update.content.text);
      if (order.rate === undefined) return;
      latencies.push((now() - stampAt(message.params.update.content.text, 0)) / 1000);
    }
  });
  const request = (method: string, params: object) => {
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(method, resolve);
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: method, method, params })}\n`);
    return promise;
  };
  await request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { result } = await request("session/new", { cwd: process.cwd(), mcpServers: [] });
  const start = now();
  await request("session/prompt", {
    sessionId: result?.sessionId,
    prompt: [{ type: "text", text: JSON.stringify(order) }],
  });
  return { updates, seconds: (now() - start) / 1e6, latencies };
}
