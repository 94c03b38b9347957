// The floor of fan-out: the burst agent on a pipe, what it says parsed and written to so many clients over bare
// node:http, and nothing stored. Prints its port; begins when all of them are there.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BurstOrder } from "../kit/burst-agent.ts";
import { runOverPipe } from "../kit/pipe.ts";

const { clients, order } = JSON.parse(process.argv[2] ?? "") as { clients: number; order: BurstOrder };
const responses: ServerResponse[] = [];
let seq = 0;
let said = "";

function send(event: { type: string; [key: string]: unknown }): void {
  const { type, ...rest } = event;
  seq++;
  const data = JSON.stringify({ type, seq, from: seq, ...rest });
  const frame = Buffer.from(`id: ${seq}\nevent: ${type}\ndata: ${data}\n\n`);
  for (const response of responses) response.write(frame);
}

function flush(): void {
  if (said !== "") send({ type: "text_delta", text: said });
  said = "";
}

async function run(): Promise<void> {
  const hear = (text: string) => {
    // All that came in one read goes out in one frame.
    if (said === "") setImmediate(flush);
    said += text;
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
