// A minimal server, to be killed: starts a flooding agent, and records its identity and how far its output was handled.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startAgentProcess } from "../../src/process/agent-process.ts";
import { AGENTS, baseEnvironment } from "./support.ts";

const [directory = "", copy = "", record = "", mark = ""] = process.argv.slice(2);
const agent = await startAgentProcess({
  command: process.execPath,
  args: [join(AGENTS, "floods.mjs"), "--count", "60000", "--copy", copy],
  cwd: directory,
  env: { ...baseEnvironment(directory), DROVER_SESSION: mark },
  directory: join(directory, "run"),
  input: "fifo",
});
appendFileSync(record, `${JSON.stringify(agent.identity)}\n`);
agent.lines(async (batch) => {
  appendFileSync(record, `${batch.at(-1)?.end}\n`);
  // Slower than the agent writes, so that it is killed with output unread.
  await delay(5);
});
const prompt = { sessionId: "s", prompt: [{ type: "text", text: "go" }] };
await agent.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt })}\n`);
