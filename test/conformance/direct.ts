// One turn of an agent over ACP without Drover, to distinguish a broken agent from a broken Drover.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import {
  client,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import { cleanEnvironment } from "../kit/server.ts";
import type { AgentEntry } from "./agents.ts";

export interface DirectTurn {
  entry: AgentEntry;
  home: string;
  cwd: string;
  /** A proxy that refuses all connections. */
  proxy: string;
  prompt: string;
  decision: "allow_once" | "reject_once";
}

export interface DirectResult {
  stopReason: string;
  /** The number of permission requests. */
  requests: number;
  text: string;
}

/** The network of a test: loopback, and a proxy that refuses everything else. */
export function deadProxy(proxy: string): Record<string, string> {
  return { HTTP_PROXY: proxy, HTTPS_PROXY: proxy, NO_PROXY: "127.0.0.1,localhost" };
}

const textOf = (update: SessionUpdate): string =>
  update.sessionUpdate === "agent_message_chunk" && update.content.type === "text" ? update.content.text : "";

export async function directTurn({
  entry,
  home,
  cwd,
  proxy,
  prompt,
  decision,
}: DirectTurn): Promise<DirectResult> {
  const child = spawn(entry.command, entry.args, {
    cwd,
    env: { ...cleanEnvironment(home), ...deadProxy(proxy), ...entry.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  const result: DirectResult = { stopReason: "", requests: 0, text: "" };
  const app = client({ name: "drover-conformance" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      result.requests++;
      const option = params.options.find(({ kind }) => kind === decision);
      if (!option) throw new Error(`no ${decision} among ${JSON.stringify(params.options)}`);
      return { outcome: { outcome: "selected", optionId: option.optionId } };
    })
    .onNotification(methods.client.session.update, ({ params }) => {
      result.text += textOf(params.update);
    });
  try {
    const stream = ndJsonStream(
      Writable.toWeb(child.stdin),
      Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    );
    await app.connectWith(stream, async (agent) => {
      await agent.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: {},
      });
      const { sessionId } = await agent.request(methods.agent.session.new, { cwd, mcpServers: [] });
      const answer = await agent.request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text: prompt }],
      });
      result.stopReason = answer.stopReason;
    });
    return result;
  } catch (cause) {
    throw new Error(`The turn failed. The agent said:\n${stderr.slice(-2000)}`, { cause });
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
}
