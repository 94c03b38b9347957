import type { Interaction, Receipt, Session } from "@drover/core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { Router } from "../../packages/server/src/api/http/router.ts";
import { routesFor } from "../../packages/server/src/api/routes/index.ts";
import { operations } from "../../packages/server/src/operations/index.ts";
import { checkAnswer } from "../kit/answers.ts";
import { type Answer, type Api, api } from "../kit/http.ts";
import { type Login, logInByToken } from "../kit/login.ts";
import type { Target } from "../kit/server.ts";
import { openSocket, type Socket, type SocketFrame } from "../kit/socket.ts";
import { changesContract } from "./page/changes.ts";
import { interactionsContract } from "./page/interactions.ts";
import { listsContract } from "./page/lists.ts";
import { loginContract } from "./page/login.ts";
import { reviewsContract } from "./page/reviews.ts";
import { sessionsContract } from "./page/sessions.ts";
import { turnsContract } from "./page/turns.ts";
import { workersContract } from "./page/workers.ts";
import { worktreesContract } from "./page/worktrees.ts";

/**
 * A server as the page sees it. Its agent `demo` reads prompts line by line and supports `say TEXT`, `run COMMAND`,
 * `ask QUESTION | A | B`, `write PATH TEXT` and `hang`.
 */
export interface PageServer extends Target, AsyncDisposable {
  /** An existing directory outside any repository. */
  readonly directory: string;
  /** A repository on its branch `main`, whose only commit has `notes.txt` with the line `one`. */
  readonly repository: string;
  /** A one-time login code. */
  readonly code: string;
}

export interface Page {
  readonly server: PageServer;
  readonly login: Login;
  /** HTTP as the page uses it: with the login's cookie and key. */
  readonly http: Api;
  readonly socket: Socket;
  /** A request over HTTP, whose answer must match its route. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A request over the socket, whose answer must have this type and match its operation. */
  request(type: string, fields?: Record<string, unknown>): Promise<SocketFrame>;
  /** A session of the demo agent, in `directory` unless named otherwise. */
  newSession(fields?: Record<string, unknown>): Promise<Session>;
  send(session: Session, content: string, fields?: Record<string, unknown>): Promise<Receipt>;
  /** Sends a prompt, and waits for the agent's request. */
  asked(session: Session, content: string): Promise<Interaction>;
}

const router = new Router(routesFor(operations));

function check(method: string, path: string, { status, body }: Answer<unknown>): void {
  const found = router.find(method, new URL(path, "http://localhost").pathname);
  if (!found.ok) throw new Error(found.error.message);
  const { route } = found.value;
  if (status !== (route.status ?? 200))
    throw new Error(`${method} ${path} was answered with ${status}: ${JSON.stringify(body)}`);
  if (route.response) checkAnswer({ name: `${method} ${route.path}`, output: route.response }, body);
}

const bySocket = new Map(operations.map((operation) => [operation.socket?.type, operation]));

async function openPage(server: PageServer): Promise<Page> {
  const target = { url: server.url, token: "" };
  const login = await logInByToken(server);
  const origin = server.url;
  const plain = api(target);
  const ask: Api["ask"] = (method, path, { headers, ...rest } = {}) =>
    plain.ask(method, path, { ...rest, headers: { ...login.headers, origin, ...headers } });
  const socket = await openSocket(target, { cookie: login.headers.cookie, origin }, login.protocols);
  const request: Page["request"] = async (type, fields = {}) => {
    const frame = await socket.request(type, fields);
    const operation = bySocket.get(type);
    if (!operation?.socket) return frame;
    expect(frame, type).toMatchObject({ type: operation.socket.reply });
    const { type: _, requestId: __, ...value } = frame;
    // A frame with its own form has the answer under one name.
    const [inner] = operation.socket.frame
      ? Object.values(value).filter((part) => typeof part === "object")
      : [];
    if (!operation.socket.frame || inner) checkAnswer(operation, inner ?? value);
    return frame;
  };
  const send: Page["send"] = async ({ id: sessionId }, content, fields) =>
    (await request("session:send", { sessionId, content, ...fields }))["receipt"] as Receipt;
  return {
    ...{ server, login, socket, request, send },
    http: { ...plain, ask },
    ask: async <T>(method: string, path: string, body?: unknown) => {
      const answer = await ask<T>(method, path, body === undefined ? {} : { body });
      check(method, path, answer);
      return answer.body;
    },
    newSession: async (fields = {}) => {
      const created = await request("session:create", { agent: "demo", cwd: server.directory, ...fields });
      return created["session"] as Session;
    },
    asked: async (session, content) => {
      await send(session, content);
      const opened = await socket.until(
        ({ type, interaction }) =>
          type === "interaction_opened" && (interaction as Interaction).sessionId === session.id,
      );
      return opened["interaction"] as Interaction;
    },
  };
}

/** What the page relies on, for any server that it may be opened with. */
export function pageServerContract(name: string, start: () => Promise<PageServer>): void {
  describe(`${name} as the page's server`, () => {
    let server: PageServer | undefined;
    let page: Page | undefined;
    beforeAll(async () => {
      server = await start();
      page = await openPage(server);
    });
    afterAll(async () => {
      await page?.socket.close();
      await server?.[Symbol.asyncDispose]();
    });
    const current = () => {
      if (!page) throw new Error("The server did not start");
      return page;
    };
    loginContract(current);
    listsContract(current);
    sessionsContract(current);
    turnsContract(current);
    interactionsContract(current);
    changesContract(current);
    worktreesContract(current);
    reviewsContract(current);
    workersContract(current);
  });
}
