// Every error the server can return, over HTTP and over a socket, and the codes that are still unused.
import { symlinkSync } from "node:fs";
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RejectionCode, rejectionStatus, type Session } from "@drover/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newLoginKey } from "../kit/login.ts";
import { openSocket, type Socket } from "../kit/socket.ts";
import { asked } from "./asking.ts";
import { bareAsk, upgradeAndSend } from "./bare.ts";
import {
  addSameAccount,
  denyAsAgent,
  halfRequest,
  httpOnly,
  type Json,
  type Refusal,
  removeUsedAccount,
  whileCrowded,
  whileFull,
  whileShuttingDown,
  whileSpoilt,
} from "./refusals.ts";
import { deleteDirty, overtakenTurn, refusedChange, refusedMerge, refusedPush } from "./repository.ts";
import { type Conversation, openRig, openSession, type Rig } from "./support.ts";

/** Over a socket: the fields of the error, or why no message can cause it. */
interface Shown {
  readonly facts?: Json;
  show(): Promise<{ http: Refusal; socket: Json | string }>;
}
type Case = Shown | { readonly broughtBy: string };

let rig: Rig;
let socket: Socket;
let idle: Session;
let busy: Conversation;
let asking: Conversation;
let question: { id: string; messageId: string };
beforeAll(async () => {
  rig = await openRig({ config: { sessions: { queueMax: 1 } } });
  symlinkSync("loop", inWork("loop"));
  socket = await openSocket(rig.server);
  idle = await rig.client.post("/api/sessions", { agent: "demo", cwd: inWork(), name: "taken" });
  busy = await openSession(rig, "demo");
  const first = { content: "hang", clientMessageId: "c1" };
  await rig.client.post(busy.path("/messages"), first, { "x-client-id": "me" });
  await busy.send("say queued");
  asking = await openSession(rig, "demo");
  const settled = await asked(asking, "run true");
  await asking.post("approve", { toolCallId: settled.id });
  await asking.done(settled.messageId);
  question = await asked(asking, "run true");
});
afterAll(async () => {
  for (const each of [busy, asking, socket, rig]) await each[Symbol.asyncDispose]();
});

const inWork = (...path: string[]) => join(rig.home, "work", ...path);
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Refusal> =>
  rig.client.ask<Json>("POST", path, { body, headers });

/** The same fields as a request's body and as a message. */
const create = (fields: () => Json) => async () => {
  const body = { agent: "demo", cwd: inWork(), ...fields() };
  return { http: await post("/api/sessions", body), socket: await socket.request("session:create", body) };
};
const send = (sessionId: () => string, body: () => Json) => async () => ({
  http: await post(`/api/sessions/${sessionId()}/messages`, body()),
  socket: await socket.request("session:send", { sessionId: sessionId(), ...body() }),
});
const approve = (body: () => Json) => async () => ({
  http: await post(asking.path("/approve"), body()),
  socket: await socket.request("session:approve", { sessionId: asking.id, ...body() }),
});

/** Errors that depend on the head of a request only. */
const knock = (headers: Record<string, string>, withToken: boolean) => async () => {
  const { port, token } = rig.server;
  const all = { ...(withToken ? { authorization: `Bearer ${token}` } : {}), ...headers };
  const http = await bareAsk(port, "GET /api/sessions", { headers: all });
  const upgrade = await upgradeAndSend(port, all, "{}");
  expect(upgrade.status).toBe(http.status);
  return { http: { ...http, body: JSON.parse(http.body) as Json }, socket: JSON.parse(upgrade.body) as Json };
};

const refuseChange = (code: Parameters<typeof refusedChange>[1]) =>
  httpOnly(() => refusedChange(rig, code), "files are changed over HTTP");

const refuseMerge = (code: Parameters<typeof refusedMerge>[1]) =>
  httpOnly(() => refusedMerge(rig, code), "work is merged over HTTP");

const cases: Record<RejectionCode, Case> = {
  BAD_REQUEST: { show: create(() => ({ agent: "" })), facts: { issues: [{ path: "agent" }] } },
  INVALID_CHARACTER: {
    show: send(
      () => idle.id,
      () => ({ content: "half a \ud83d" }),
    ),
  },
  UNSUPPORTED: { show: create(() => ({ workspace: "container" })), facts: { what: "container" } },
  UNSUPPORTED_CLI: {
    show: create(() => ({ agent: "nobody" })),
    facts: { allowed: expect.arrayContaining(["demo"]) },
  },
  INSTRUCTIONS_UNREADABLE: { show: create(() => ({ instructionFile: inWork("none.md") })) },
  UNAUTHENTICATED: { show: knock({}, false) },
  OUTSIDE_BOUNDARY: { show: create(() => ({ cwd: "/" })) },
  PERMISSION_DENIED: { show: create(() => ({ cwd: inWork("loop") })) },
  NULL_BYTE: { show: create(() => ({ cwd: "/home/\0" })) },
  FOREIGN_ORIGIN: { show: knock({ origin: "http://evil.example" }, true) },
  AGENT_CANNOT_ANSWER: { show: () => denyAsAgent(rig, asking.id) },
  POLICY_VIOLATION: { broughtBy: "policy files" },
  NOT_FOUND: {
    show: send(
      () => "no-such-one",
      () => ({ content: "hi" }),
    ),
    facts: { what: "session" },
  },
  REQUEST_TIMEOUT: {
    show: httpOnly(() => halfRequest(rig), "a socket's message has arrived when it is read"),
  },
  SESSION_LOCKED: {
    show: httpOnly(
      () => post(busy.path("/messages"), { content: "mine" }, { "x-lock": "strict" }),
      "messages from a socket wait in the queue",
    ),
    facts: { lockedBy: "me", lockedAt: expect.any(String) },
  },
  IDEMPOTENCY_CONFLICT: {
    show: send(
      () => busy.id,
      () => ({ content: "other", clientMessageId: "c1" }),
    ),
  },
  ALREADY_RESOLVED: {
    show: approve(() => ({ toolCallId: "call_1" })),
    facts: { resolution: "approved", by: "api", at: expect.any(String) },
  },
  INPUT_CHANGED: { show: approve(() => ({ toolCallId: question.id, inputHash: "0" })) },
  NAME_TAKEN: { show: create(() => ({ name: "taken" })) },
  ACCOUNT_EXISTS: { show: httpOnly(() => addSameAccount(rig), "accounts are added over HTTP") },
  ACCOUNT_IN_USE: { show: httpOnly(() => removeUsedAccount(rig), "accounts are removed over HTTP") },
  WORKSPACE_DIRTY: {
    show: httpOnly(() => deleteDirty(rig), "sessions are deleted over HTTP"),
    facts: { files: ["new"] },
  },
  WORKSPACE_FAILED: { show: create(() => ({ workspace: "worktree" })), facts: { reason: "no_repository" } },
  NOT_QUEUED: {
    show: httpOnly(
      () => rig.client.ask<Json>("DELETE", busy.path(`/queue/${question.messageId}`)),
      "the queue is edited over HTTP",
    ),
  },
  QUEUE_FULL: {
    show: send(
      () => busy.id,
      () => ({ content: "one more" }),
    ),
    facts: { limit: 1 },
  },
  REVERT_CONFLICT: {
    show: httpOnly(async () => post(...(await overtakenTurn(rig))), "turns are reverted over HTTP"),
    facts: { files: ["kept.txt"] },
  },
  DISCARD_CONFLICT: { show: refuseChange("DISCARD_CONFLICT"), facts: { files: ["kept.txt"] } },
  COMMIT_REFUSED: { show: refuseChange("COMMIT_REFUSED"), facts: { reason: "detached" } },
  NOTHING_TO_COMMIT: { show: refuseChange("NOTHING_TO_COMMIT") },
  NO_IDENTITY: { show: refuseChange("NO_IDENTITY") },
  MERGE_CONFLICT: { show: refuseMerge("MERGE_CONFLICT"), facts: { files: ["kept.txt"] } },
  CHECKOUT_IN_THE_WAY: { show: refuseMerge("CHECKOUT_IN_THE_WAY"), facts: { files: ["kept.txt"] } },
  NOTHING_TO_MERGE: { show: refuseMerge("NOTHING_TO_MERGE") },
  MERGE_REFUSED: { show: refuseMerge("MERGE_REFUSED"), facts: { reason: "busy" } },
  PUSH_REFUSED: {
    show: httpOnly(() => refusedPush(rig), "branches are pushed over HTTP"),
    facts: { reason: "no_remote" },
  },
  BODY_TOO_LARGE: {
    show: httpOnly(
      () => post("/api/sessions", { title: "x".repeat(16 * 1024 * 1024) }),
      "a larger frame closes the socket with 1009",
    ),
    facts: { limit: 16 * 1024 * 1024 },
  },
  PROMPT_TOO_LARGE: {
    show: send(
      () => idle.id,
      () => ({ content: `${"é".repeat(393_216)}x` }),
    ),
    facts: { limit: 786_432, size: 786_433 },
  },
  ATTACHMENT_TOO_LARGE: {
    show: send(
      () => idle.id,
      () => ({
        content: "look",
        attachments: [
          { name: "a.png", mediaType: "image/png", data: Buffer.alloc(5_242_881).toString("base64") },
        ],
      }),
    ),
    facts: { limit: 5_242_880, size: 5_242_881 },
  },
  WRONG_HOST: { show: knock({ host: "evil.example" }, true) },
  TOO_MANY_ATTEMPTS: {
    show: httpOnly(async () => {
      for (let n = 0; n < 5; n++) await post("/api/login", { code: "wrong", key: newLoginKey() });
      return post("/api/login", { code: "wrong", key: newLoginKey() });
    }, "a socket cannot be used to log in"),
  },
  BUG: {
    show: () => whileSpoilt((database) => database.exec("DROP TABLE sessions")),
    facts: { id: expect.stringMatching(/^bug_/) },
  },
  STORAGE_FULL: { show: whileFull },
  STORE_BUSY: { show: () => whileSpoilt((database) => database.exec("BEGIN IMMEDIATE")) },
  SHUTTING_DOWN: { show: httpOnly(whileShuttingDown, "a shutdown closes sockets with 1001") },
  TOO_MANY_CONNECTIONS: {
    show: httpOnly(() => whileCrowded(1_000), "an upgrade too many is refused like a request"),
  },
};

const shown = Object.entries(cases).filter((entry): entry is [RejectionCode, Shown] => "show" in entry[1]);
const later = Object.entries(cases).flatMap(([code, it]) => ("broughtBy" in it ? [code] : []));

describe.concurrent("each refusal has its code, its status, its facts and a sentence:", () => {
  test.for(shown)("%s", async ([code, { show, facts = {} }]) => {
    const { http, socket } = await show();
    expect({ status: http.status, ...http.body }).toMatchObject({
      status: rejectionStatus[code],
      code,
      ...facts,
    });
    expect(http.body["error"]).toMatch(/^\S+ .{10,}/);
    if (typeof socket !== "string") expect(socket).toMatchObject({ code, ...facts });
  });
});

test(`the server never returns ${later.join(" or ")} yet`, async () => {
  const packages = join(import.meta.dirname, "..", "..", "packages");
  const sources = { cwd: packages, exclude: ["core/src/error.ts", "server/src/cli/**"] };
  for await (const file of glob("{core,server}/src/**/*.ts", sources)) {
    const source = await readFile(join(packages, file), "utf8");
    for (const code of later) expect(source.includes(`"${code}"`), `${code} in ${file}`).toBe(false);
  }
});
