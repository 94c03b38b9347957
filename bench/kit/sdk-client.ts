// The peer: the official SDK's client with the same agent over the same pipe.
import { Readable, Writable } from "node:stream";
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from "@agentclientprotocol/sdk";
import { type BurstOrder, burstProgram, spawnAgent } from "./burst-agent.ts";
import { now } from "./unit.ts";

export async function runOverSdk(order: BurstOrder): Promise<{ updates: number; seconds: number }> {
  await using agent = spawnAgent(burstProgram);
  let updates = 0;
  const app = client({ name: "drover-bench" }).onNotification(methods.client.session.update, () => {
    updates++;
  });
  const stream = ndJsonStream(
    Writable.toWeb(agent.stdin),
    Readable.toWeb(agent.stdout) as ReadableStream<Uint8Array>,
  );
  return await app.connectWith(stream, async (connection) => {
    await connection.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientCapabilities: {},
    });
    const { sessionId } = await connection.request(methods.agent.session.new, {
      cwd: process.cwd(),
      mcpServers: [],
    });
    const start = now();
    await connection.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [{ type: "text", text: JSON.stringify(order) }],
    });
    return { updates, seconds: (now() - start) / 1e6 };
  });
}
