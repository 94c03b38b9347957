// An ACP agent that follows its script: node scripted.mjs LOG SCRIPT
// SCRIPT is JSON: for each method the response ({result} | {error}), messages to send first (`before`), or "silence".
// A prompt is JSON too: {send: [message…], end: {result} | {error}}. For a request among the messages it waits for the
// response and writes it as text. Every message received is appended to LOG.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [log, script = "{}"] = process.argv.slice(2);
const answers = {
  initialize: { result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } },
  "session/new": { result: { sessionId: "conversation-1" } },
  "session/load": { result: {} },
  "session/resume": { result: {} },
  ...JSON.parse(script),
};
const waiting = new Map();

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const say = (text) =>
  send({
    method: "session/update",
    params: {
      sessionId: "conversation-1",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
    },
  });

async function prompt(id, [{ text }]) {
  const { send: messages = [], end = { result: { stopReason: "end_turn" } } } = JSON.parse(text);
  for (const message of messages) {
    const isRequest = message.id !== undefined && message.method !== undefined;
    const answered = isRequest && new Promise((resolve) => waiting.set(message.id, resolve));
    send(message);
    if (answered) {
      const { jsonrpc: _, id: __, ...answer } = await answered;
      say(JSON.stringify(answer));
    }
  }
  send({ id, ...end });
}

createInterface({ input: process.stdin }).on("line", (line) => {
  if (line.trim() === "") return;
  appendFileSync(log, `${line}\n`);
  const message = JSON.parse(line);
  if (message.method === undefined) return waiting.get(message.id)?.(message);
  if (message.method === "session/prompt") return prompt(message.id, message.params.prompt);
  const answer = answers[message.method];
  if (message.id === undefined || answer === "silence") return;
  const { before = [], ...response } = answer ?? { error: { code: -32601, message: "Method not found" } };
  for (const earlier of before) send(earlier);
  send({ id: message.id, ...response });
});
console.error("listening");
