// The floor of fan-out: the burst agent on a pipe, its output parsed and written to the clients over bare node:http, and
// nothing stored. Prints its port; begins when all clients are connected.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BurstOrder } from "../kit/burst-agent.ts";
import { runOverPipe } from "../kit/pipe.ts";

const { clients, order } = JSON.parse(process.argv[2] ?? "") as { clients: number; order: BurstOrder };
const responses: ServerResponse[] = [];
let seq = 0;
let pending = "";

function send(event: { type: string; [key: string]: unknown }): void {
  const { type, ...fields } = event;
  seq++;
  const data = JSON.stringify({ type, seq, from: seq, ...fields });
  const frame = Buffer.from(`id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`);
  for (const response of responses) response.write(frame);
}

function flush(): void {
  if (pending !== "") send({ type: "text_delta", text: pending });
  pending = "";
}

async function run(): Promise<void> {
  const hear = (text: string) => {
    // Everything from one read goes out in one frame.
    if (pending === "") setImmediate(flush);
    pending += text;
  };
  await runOverPipe(order, { hear });
  flush();
  send({ type: "done", reason: "end_turn" });
}

const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write("retry: 1000\n\n");
  if (responses.push(response) === clients) void run();
}).listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
