// A scripted model behind a vendor's HTTP interface, on loopback. It also takes the place of the proxy: whatever an
// agent wants from the rest of the world is refused and written down.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Entry, nextStep, type Step } from "./script.ts";

export type Json = Record<string, unknown>;

/** A request for a reply, in the terms all dialects share. */
export interface Turn {
  conversation: Entry[];
  /** The tools on offer, by name. */
  tools: Map<string, Json>;
  model: string;
  stream: boolean;
}

/** One vendor's interface. */
export interface Dialect {
  /** The request as a turn, or undefined when it asks for something else. */
  read(path: string, body: Json): Turn | undefined;
  reply(turn: Turn, step: Step, response: ServerResponse): void;
  /** The body of an error answer; without a type, the one that goes with the status. */
  error(status: number, message: string, type?: string): Json;
  /** The answer to a request that is no turn; undefined: not found. */
  other(path: string): Json | undefined;
}

export interface Model extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, oldest first, with the step it was answered by. */
  readonly requests: readonly {
    path: string;
    headers: IncomingMessage["headers"];
    body: Json;
    step?: Step;
  }[];
  /** What was asked of other hosts. */
  readonly refused: readonly string[];
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

async function readBody(request: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const decode = decoders[request.headers["content-encoding"] ?? ""];
  const text = (decode ? decode(bytes) : bytes).toString();
  return text.startsWith("{") ? (JSON.parse(text) as Json) : {};
}

export function sendJson(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Starts an event stream; the returned function writes one event, whose type is also its name. */
export function eventStream(response: ServerResponse): (type: string, fields: Json) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (type, fields) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`);
  };
}

/** Cuts text the way a model streams it; keeps characters whole. */
export function* chunks(text: string): Generator<string> {
  const characters = [...text];
  for (let at = 0; at < characters.length; at += 12) yield characters.slice(at, at + 12).join("");
}

export async function startModel(dialect: Dialect, port = 0): Promise<Model> {
  const requests: Model["requests"][number][] = [];
  const refused: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://model");
    if (url.host !== "model") {
      // A plain-HTTP request through the proxy names the whole address.
      refused.push(url.host);
      sendJson(response, 403, { error: "no way out" });
      return;
    }
    const body = await readBody(request);
    const turn = request.method === "POST" ? dialect.read(url.pathname, body) : undefined;
    const entry = { path: url.pathname, headers: request.headers, body };
    if (!turn) {
      requests.push(entry);
      const other = dialect.other(url.pathname);
      sendJson(response, other ? 200 : 404, other ?? dialect.error(404, `Not scripted: ${url.pathname}`));
      return;
    }
    const step = nextStep(turn.conversation);
    requests.push({ ...entry, step });
    const { fail } = step;
    if (step.drop) response.destroy();
    else if (fail) {
      const { status, message = "A scripted failure.", type } = fail;
      sendJson(response, status, dialect.error(status, message, type));
    } else dialect.reply(turn, step, response);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      sendJson(response, 500, dialect.error(500, `The script cannot be followed: ${String(error)}`));
    });
  });
  server.on("connect", (request: IncomingMessage, socket) => {
    refused.push(request.url ?? "");
    socket.on("error", () => {}); // it is hung up on, and may say so
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
