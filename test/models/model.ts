// A scripted model behind a vendor's HTTP interface, on loopback. It is also the agent's proxy: it refuses and records all
// requests to other hosts.
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Entry, type Failure, nextStep, type Step } from "./script.ts";
import { playStream, type StreamEvent } from "./stream.ts";
import type { Tools } from "./tools.ts";

export type Json = Record<string, unknown>;

/** A request for a reply, in the terms all dialects share. */
export interface Turn {
  conversation: Entry[];
  tools: Tools;
  model: string;
  stream: boolean;
}

/** One vendor's interface. */
export interface Dialect {
  /** The request as a turn, or undefined if it is something else. */
  read(path: string, body: Json): Turn | undefined;
  /** The reply as one JSON body. */
  reply(turn: Turn, step: Step): Json;
  /** The same reply as a stream. */
  stream(turn: Turn, step: Step): Iterable<StreamEvent>;
  /** The body of an error response; the status determines the default type. */
  error(failure: Failure & { message: string }): Json;
  /** The response to a request that is not a turn; undefined means 404. */
  other(path: string): Json | undefined;
}

export interface Model extends AsyncDisposable {
  readonly url: string;
  /** Every request so far, oldest first, with the step that answered it. */
  readonly requests: readonly {
    path: string;
    headers: IncomingMessage["headers"];
    body: Json;
    step?: Step;
  }[];
  /** Requests to other hosts. */
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

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: Json;
}

function sendJson(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export async function startModel(dialect: Dialect, port = 0): Promise<Model> {
  const requests: Model["requests"][number][] = [];
  const refused: string[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://model");
    if (url.host !== "model") {
      // A plain-HTTP request through the proxy has an absolute URL.
      refused.push(url.host);
      sendJson(response, { status: 403, body: { error: "blocked" } });
      return;
    }
    const body = await readBody(request);
    const turn = request.method === "POST" ? dialect.read(url.pathname, body) : undefined;
    const entry = { path: url.pathname, headers: request.headers, body };
    if (!turn) {
      requests.push(entry);
      const other = dialect.other(url.pathname);
      const unknown = { status: 404, message: `Not scripted: ${url.pathname}` };
      if (other) sendJson(response, { status: 200, body: other });
      else sendJson(response, { status: 404, body: dialect.error(unknown) });
      return;
    }
    const step = nextStep(turn.conversation);
    requests.push({ ...entry, step });
    const { fail } = step;
    if (step.drop === true) response.destroy();
    else if (fail) {
      const body = dialect.error({ message: "A scripted failure.", ...fail });
      sendJson(response, { ...fail, body });
    } else if (turn.stream) await playStream(dialect.stream(turn, step), step, response);
    // Agents fall back to a reply without streaming, which has no middle.
    else if (step.drop) response.destroy();
    else if (!step.hang) sendJson(response, { status: 200, body: dialect.reply(turn, step) });
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = `Invalid script: ${String(error)}`;
      sendJson(response, { status: 500, body: dialect.error({ status: 500, message }) });
    });
  });
  server.on("connect", (request: IncomingMessage, socket) => {
    refused.push(request.url ?? "");
    socket.on("error", () => {}); // the connection is reset
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
