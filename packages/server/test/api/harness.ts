import { once } from "node:events";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { checkAnswer } from "../../../../test/kit/answers.ts";
import { newLoginKey } from "../../../../test/kit/login.ts";
import type { Target } from "../../../../test/kit/server.ts";
import type { ApiDeps } from "../../src/api/deps.ts";
import { type Api, createApi } from "../../src/api/index.ts";
import type { LoginRecords, LoginRow } from "../../src/ports.ts";
import { FakeService } from "./fake-service.ts";

export interface TestApi extends Target, AsyncDisposable {
  readonly api: Api;
  readonly port: number;
  readonly service: FakeService;
  readonly logins: LoginRows;
  readonly logged: { message: string; facts: Record<string, unknown> | undefined }[];
  /** Makes the next connections look as if an agent's process had opened them. */
  peer: string | undefined;
  /** The clock for login codes and attempts, which otherwise stands still. */
  clockMs: number;
  /** The wall clock for the use and expiry of logins. */
  nowMs: number;
}

export type LoginRows = Map<string, LoginRow>;

type Overrides = Partial<Omit<ApiDeps, "config">> & {
  streams?: Partial<ApiDeps["config"]["streams"]>;
  server?: Partial<ApiDeps["config"]["server"]>;
  service?: FakeService;
  logins?: LoginRows;
};

export const loginStore = (logins: LoginRows): LoginRecords => ({
  logins: async () => [...logins.values()],
  addLogin: async (login) => void logins.set(login.id, login),
  useLogin: async (id, lastUsedAt) => {
    const login = logins.get(id);
    if (login) logins.set(id, { ...login, lastUsedAt });
  },
  removeLogins: async (ids) => {
    for (const id of ids) logins.delete(id);
  },
});

export const token = "t0ken-of-this-install";

/** The whole API on its own port, in front of the in-memory service. */
export async function startApi(overrides: Overrides = {}): Promise<TestApi> {
  const { streams, server, service = new FakeService(), logins = new Map(), ...rest } = overrides;
  const logged: TestApi["logged"] = [];
  const log = (message: string, facts?: Record<string, unknown>) => void logged.push({ message, facts });
  const control = { peer: undefined as string | undefined, clockMs: 0, nowMs: Date.UTC(2026, 0, 1) };
  const api = createApi({
    service,
    auth: { token, ...loginStore(logins) },
    receipts: {
      receipt: async (key) => service.receipts.get(key),
      saveReceipt: async (receipt) => void service.receipts.set(receipt.key, receipt),
    },
    config: {
      server: { port: 0, bind: "127.0.0.1", hosts: [], ...server },
      streams: { heartbeat: 15_000, clientBuffer: 4 * 1024 * 1024, ...streams },
    },
    version: "0.0.0-test",
    logger: { debug: log, info: log, warn: log, error: log },
    webDirectory: "/nonexistent",
    onAnswer: checkAnswer,
    peerOf: async () => (control.peer === undefined ? "person" : { sessions: [control.peer] }),
    onTurn: (listener) => {
      service.turnListeners.add(listener);
      return { [Symbol.dispose]: () => void service.turnListeners.delete(listener) };
    },
    onStartFailure: (listener) => {
      service.failureListeners.add(listener);
      return { [Symbol.dispose]: () => void service.failureListeners.delete(listener) };
    },
    clock: () => control.clockMs,
    now: () => control.nowMs,
    ...rest,
  });
  const { port, url } = await api.listen();
  return Object.assign(control, {
    ...{ api, port, url, token, service, logins, logged },
    [Symbol.asyncDispose]: () => api.close(),
  });
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: Record<string, unknown>;
}

export interface RawRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

/** A request with exactly these headers, `Host` included; no credentials are added. */
export async function raw(port: number, path: string, options: RawRequest = {}): Promise<RawAnswer> {
  const { method = "GET", headers = {}, body } = options;
  const outgoing = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false });
  outgoing.end(body);
  const [response] = await once(outgoing, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const isJson = String(response.headers["content-type"]).startsWith("application/json");
  return {
    status: response.statusCode,
    headers: response.headers,
    body: text,
    json: isJson && text ? JSON.parse(text) : {},
  };
}

export interface BrowserLogin {
  readonly cookie: string;
  readonly key: string;
  /** The headers of the page's own requests. */
  readonly headers: { readonly cookie: string; readonly "x-drover-key": string };
}

export const newKey = newLoginKey;

/** Logs a browser in. */
export async function login(api: TestApi): Promise<BrowserLogin> {
  const key = newKey();
  const answer = await raw(api.port, "/api/login", {
    method: "POST",
    body: JSON.stringify({ code: api.api.mintLoginCode(), key }),
  });
  const cookie = String(answer.headers["set-cookie"]?.[0]).split(";")[0] ?? "";
  return { cookie, key, headers: { cookie, "x-drover-key": key } };
}

/** Sends bytes and collects the response until the server closes or `enough` matches. */
export async function bytes(port: number, text: string, enough = /\r\n\r\n/): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(text);
  let got = "";
  try {
    for await (const chunk of socket) {
      got += chunk;
      if (enough.test(got)) break;
    }
  } catch {
    // A reset after the answer is an end, too.
  }
  socket.destroy();
  return got;
}

export async function newSession(api: TestApi): Promise<string> {
  const made = await api.service.sessions.create({ agent: "demo", cwd: "/home/me" }, { by: "api" });
  if (!made.ok) throw new Error(made.error.message);
  return made.value.id;
}

export const bearer = { authorization: `Bearer ${token}` };

/** A route's path with its parameters filled in. */
export const pathOf = (path: string) => path.replaceAll(/:\w+/g, "x").replace("*", "x");

/** The protocols with which a page's socket sends its key. */
export const offering = (key: string) => ({ "Sec-WebSocket-Protocol": `drover, key.${key}` });

/** The status of a WebSocket upgrade with these headers. */
export async function upgrade(port: number, headers: Record<string, string>, path = "/ws"): Promise<number> {
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  const answer = await bytes(port, `GET ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}
