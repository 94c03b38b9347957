// What the agents share: arguments, exact writes with a copy, and just enough of ACP, without a library because a library
// would not let them misbehave.
import { openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

/** `--copy FILE` keeps a copy of stdout; the other options belong to the programs. */
export const { values: args } = parseArgs({
  strict: false,
  options: {
    copy: { type: "string" },
    file: { type: "string" },
    edit: { type: "string" },
    may: { type: "string" },
    answers: { type: "string" },
    count: { type: "string" },
    bytes: { type: "string" },
    mb: { type: "string" },
    loses: { type: "string" },
    after: { type: "string" },
    hold: { type: "string" },
    release: { type: "string" },
    "one-byte": { type: "boolean" },
  },
});

/** `%s` stands for the session. */
const copyPath = args.copy?.replace("%s", process.env.DROVER_SESSION ?? "");
const copy = copyPath === undefined ? undefined : openSync(copyPath, "a");

/** Blocks until everything is written: one call, one write, even on a non-blocking pipe. */
function writeAll(fd, bytes) {
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}

export function write(data) {
  const bytes = Buffer.from(data);
  // Write the copy first, so that it has everything a reader has seen.
  if (copy !== undefined) writeAll(copy, bytes);
  writeAll(1, bytes);
}

export const writeError = (text) => writeAll(2, Buffer.from(text));

export const encode = (message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
export const send = (message) => write(encode(message));

/** The text of a prompt's blocks. */
export const textOf = (params) => (params.prompt ?? []).map((block) => block.text ?? "").join("");

export const chunk = (sessionId, text) => ({
  method: "session/update",
  params: { sessionId, update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } } },
});

/** Keeps the program running, even after its input ends. */
export const stayAlive = () => setInterval(() => {}, 1 << 30);

/**
 * Speaks ACP on stdin and stdout. `behaviour.prompt(turn)` returns the stop reason; every other method may be replaced
 * under its own name, e.g. `"session/new": (params) => result`. A handler that returns `undefined` leaves its request
 * unanswered. Ends with its input, or calls `behaviour.atEnd`.
 */
export function serve(behaviour) {
  const waiting = new Map();
  const turns = new Map();
  let lastId = 0;

  const turnOf = (params, requestId) => {
    const { sessionId } = params;
    const cancel = new AbortController();
    turns.set(sessionId, cancel);
    return {
      sessionId,
      requestId,
      params,
      text: textOf(params),
      cancelled: cancel.signal,
      say: (text) => send(chunk(sessionId, text)),
      update: (update) => send({ method: "session/update", params: { sessionId, update } }),
      /** Resolves with the whole response: `{result}` or `{error}`. */
      ask: (method, fields) => {
        const id = `kit:${++lastId}`;
        send({ id, method, params: { sessionId, ...fields } });
        return new Promise((resolve) => waiting.set(id, resolve));
      },
    };
  };

  const methods = {
    initialize: () => ({ protocolVersion: 1, agentCapabilities: { loadSession: true } }),
    "session/new": () => ({ sessionId: `kit-${process.pid}` }),
    "session/load": () => ({}),
    "session/prompt": async (params, requestId) => {
      const stopReason = await behaviour.prompt(turnOf(params, requestId));
      return stopReason && { stopReason };
    },
    "session/cancel": ({ sessionId }) => void turns.get(sessionId)?.abort(),
    ...behaviour,
  };

  const receive = async (message) => {
    if (message.method === undefined) return waiting.get(message.id)?.(message);
    const method = methods[message.method];
    if (method === undefined) {
      return (
        message.id !== undefined &&
        send({ id: message.id, error: { code: -32601, message: "Method not found" } })
      );
    }
    const result = await method(message.params ?? {}, message.id);
    if (message.id !== undefined && result !== undefined) send({ id: message.id, result });
  };

  const input = createInterface({ input: process.stdin });
  input.on("line", (line) => line.trim() !== "" && receive(JSON.parse(line)));
  input.on("close", behaviour.atEnd ?? (() => process.exit(0)));
}
