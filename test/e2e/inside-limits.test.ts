// What "no looser than its own session" means, and why a session's process cannot impersonate anyone else.
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { EventOf, Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { droverCommand } from "../kit/server.ts";
import { until } from "../kit/until.ts";
import { asked } from "./asking.ts";
import {
  type Attempt,
  commandFor,
  inside,
  insideAgents,
  isRefused,
  type Outcome,
  openShell,
  outside,
} from "./inside.ts";
import { asAgent } from "./refusals.ts";
import { type Conversation, openRig, openSession, type Rig, readJson } from "./support.ts";

let rig: Rig;
let own: Conversation;

beforeAll(async () => {
  rig = await openRig({ agents: insideAgents });
  own = await openShell(rig);
});
afterAll(async () => {
  await own[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const cwd = () => join(rig.home, "work");

const creating = (fields: object, headers?: Record<string, string>): Attempt => ({
  method: "POST",
  path: "/api/sessions",
  body: { agent: "kit", cwd: cwd(), ...fields },
  ...(headers ? { headers } : {}),
});
const sending = (sessionId: string, headers?: Record<string, string>): Attempt => ({
  method: "POST",
  path: `/api/sessions/${sessionId}/messages`,
  body: { content: "hello" },
  ...(headers ? { headers } : {}),
});

async function other(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await rig.client.post<Session>("/api/sessions", { agent: "kit", cwd: cwd(), ...fields });
  return id;
}

/** A project in a new directory. */
async function project(name: string, patch: object): Promise<string> {
  const path = join(rig.home, name);
  await mkdir(path);
  const { id } = await rig.client.post<{ id: string }>("/api/projects", { path });
  await rig.client.patch(`/api/projects/${id}`, patch);
  return path;
}

/** Expects all attempts to be refused to the session's process, and none to a person. */
async function expectRefused(
  session: Conversation,
  refused: Readonly<Record<string, Attempt>>,
): Promise<void> {
  const attempts = Object.values(refused);
  const verdicts = (outcomes: Outcome[]) =>
    Object.fromEntries(
      Object.keys(refused).map((name, index) => [name, isRefused(outcomes[index] ?? { body: {} })]),
    );
  const all = (value: boolean) => Object.fromEntries(Object.keys(refused).map((name) => [name, value]));
  expect(verdicts(await inside(rig, session, attempts))).toEqual(all(true));
  expect(verdicts(await outside(rig, attempts))).toEqual(all(false));
}

const mcpServers = { tools: { command: "true" } };

test("H7 a session's process cannot create, resume or message a session that is looser than its own in any way", async () => {
  const trusted = await project("trusted", { trusted: true });
  const secret = await project("secret", { env: { TOKEN: "of another project" } });
  await using granted = await openSession(rig, "demo");
  const { id } = await asked(granted, "run echo granted");
  await granted.post("approve", { toolCallId: id, scope: "session" });
  await granted.follower.until((event) => event.type === "done");

  const { projectId } = await own.get();
  await rig.client.patch(`/api/projects/${projectId}`, { setup: [["true"]] });

  await expectRefused(own, {
    mode: creating({ permissionMode: "never" }),
    servers: creating({ mcpServers }),
    "servers of its own session": { method: "PATCH", path: own.path(), body: { mcpServers } },
    "its own mode": { method: "PATCH", path: own.path(), body: { permissionMode: "acceptEdits" } },
    conversation: creating({ agentSessionId: "another" }),
    "a trusted project": creating({ cwd: trusted }),
    "a project with variables": creating({ cwd: secret }),
    "an agent that cannot ask": creating({ agent: "text" }),
    "a worktree with setup commands": creating({ workspace: "worktree" }),
    "a message to a looser session": sending(await other({ permissionMode: "acceptEdits" })),
    "a message to a session with servers": sending(await other({ mcpServers })),
    "a message to a session in a trusted project": sending(await other({ cwd: trusted })),
    "a message to a session with a grant": sending(granted.id),
    "every connection of an agent": { method: "POST", path: "/api/agents/kit/reconnect", body: {} },
  });
  await rig.client.patch(own.path(), { permissionMode: "ask" });
  await rig.client.patch(`/api/projects/${projectId}`, { setup: [] });
});

test("H7 messages that a process has queued wait for a person once the session has become looser", async () => {
  await using target = await openSession(rig, "demo");
  const { id, messageId } = await asked(target, "run true");
  const [queued] = await inside(rig, own, [sending(target.id)]);
  expect(queued).toMatchObject({ status: 202, body: { applied: "queued" } });
  await rig.client.patch(target.path(), { permissionMode: "never" });
  await target.post("approve", { toolCallId: id });
  await target.done(messageId);
  await until(async () => (await target.get()).queuePaused, { what: "the queue is paused" });
  expect(await target.get()).toMatchObject({ queued: 1, state: "idle" });
  await target.post("resume");
  await until(async () => (await target.get()).queued === 0, {
    what: "the queue runs after a person resumed it",
  });
});

test("H7 a command that has dropped its mark cannot stop the server or copy secrets", async () => {
  await using session = await openSession(rig, "demo");
  const said = join(rig.home, "work", "said");
  const bare = `env -u DROVER_SESSION HOME=${rig.home} '${process.execPath}' '${droverCommand}'`;
  const { id, messageId } = await asked(
    session,
    `run for what in "backup ${rig.home}/copy --secrets" down; do ${bare} $what; echo $? >> ${said}; done`,
  );
  await session.post("approve", { toolCallId: id });
  await session.done(messageId);
  expect(await readFile(said, "utf8")).toBe("7\n7\n");
});

test("H7 in mode never a different agent makes no difference, but a trusted project still does", async () => {
  await using never = await openShell(rig, { permissionMode: "never" });
  const trusted = await project("trusted-too", { trusted: true });
  const [byText, byMode, byTrust] = await inside(rig, never, [
    creating({ agent: "text" }),
    creating({ permissionMode: "never" }),
    creating({ cwd: trusted }),
  ]);
  expect([byText?.status, byMode?.status]).toEqual([201, 201]);
  expect(byTrust && isRefused(byTrust)).toBe(true);
});

test("H7 a command of the demo agent cannot start an agent that follows the settings of any repository", async () => {
  await using session = await openSession(rig, "demo");
  const { command, output } = await commandFor(rig, [
    creating({ agent: "kit" }),
    creating({ agent: "demo" }),
  ]);
  const { id, messageId } = await asked(session, `run ${command}`);
  await session.post("approve", { toolCallId: id });
  await session.done(messageId);
  expect((await readJson<Outcome[]>(output)).map(isRefused)).toEqual([true, false]);
});

test("H7 a process may rename and tighten its own session, and is then bound by the tighter mode", async () => {
  await using session = await openShell(rig);
  const outcomes = await inside(rig, session, [
    { method: "PATCH", path: session.path(), body: { title: "mine", permissionMode: "plan" } },
    creating({ permissionMode: "ask" }),
    creating({ permissionMode: "plan" }),
    { method: "PATCH", path: session.path(), body: { permissionMode: "ask" } },
  ]);
  expect(outcomes.map(isRefused)).toEqual([false, true, false, true]);
  expect(await session.get()).toMatchObject({ title: "mine", permissionMode: "plan" });
});

test("H7 a session's process cannot choose its name: messages and locks name agent:SESSION over every interface", async () => {
  const headers = { "x-client-id": "somebody", "x-drover-client": "cli" };
  for (const attempt of [
    (id: string) => sending(id, headers),
    (id: string): Attempt => ({ type: "session:send", fields: { sessionId: id, content: "hello" } }),
    (id: string): Attempt => ({ args: ["send", id, "hello"] }),
  ]) {
    await using target = await openSession(rig, "kit");
    const [outcome] = await inside(rig, own, [attempt(target.id)]);
    expect(outcome && isRefused(outcome)).toBe(false);
    const start = await target.follower.until<EventOf<"turn_start">>(({ type }) => type === "turn_start");
    const message = await target.follower.until<EventOf<"message">>(({ type }) => type === "message");
    expect([start.lockedBy, message.by]).toEqual([`agent:${own.id}`, `agent:${own.id}`]);
  }
});

test("H7 a session's process gets a refusal instead of a person's receipt, and cannot claim that receipt", async () => {
  const key = { "idempotency-key": "of-a-person" };
  const loose = creating({ permissionMode: "never" }, key);
  const codes: Attempt = {
    method: "POST",
    path: "/api/login/codes",
    body: {},
    headers: { "idempotency-key": "c" },
  };
  const [made, code] = await outside(rig, [loose, codes]);
  expect([made?.status, code?.status]).toEqual([201, 201]);
  const outcomes = await inside(rig, own, [loose, codes]);
  expect(outcomes.map(isRefused)).toEqual([true, true]);

  const early = creating({}, { "idempotency-key": "early" });
  const [itsOwn, again] = await inside(rig, own, [early, early]);
  const [ofPerson] = await outside(rig, [early]);
  expect(itsOwn?.status).toBe(201);
  expect(again?.body["id"]).toBe(itsOwn?.body["id"]);
  expect(ofPerson?.status).toBe(201);
  expect(ofPerson?.body["id"]).not.toBe(itsOwn?.body["id"]);
});

test("H7 a process belongs to its session even without its mark, with another mark, or orphaned", async () => {
  await using never = await openShell(rig, { permissionMode: "never" });
  await never.turn("true");
  const disguises: Record<string, (command: string) => string> = {
    "mark removed": (command) => `env -u DROVER_SESSION ${command}`,
    "environment removed": (command) => `env -i HOME="$HOME" ${command}`,
    "another session's mark": (command) => `env DROVER_SESSION=${never.id} ${command}`,
    "the mark of no session": (command) => `env DROVER_SESSION=ses_nobody ${command}`,
    "a group of its own": (command) => `setsid -w ${command}`,
    "orphaned with its mark": (command) => `(setsid ${command} &)`,
  };
  for (const [name, disguise] of Object.entries(disguises)) {
    await using target = await openSession(rig, "kit");
    const { command, output } = await commandFor(rig, [
      creating({ permissionMode: "never" }),
      sending(target.id),
    ]);
    await own.turn(disguise(command));
    const outcomes = await until(() => readJson<Outcome[]>(output), { what: name });
    expect(outcomes.map(isRefused), name).toEqual([true, false]);
    const message = await target.follower.until<EventOf<"message">>(({ type }) => type === "message");
    expect(message.by, name).toBe(`agent:${own.id}`);
  }
});

test("H7 a process of a session that this server does not know may only read", async () => {
  const module = `
    const headers = { authorization: "Bearer " + process.env.TOKEN };
    const url = process.env.SERVER + "/api/sessions";
    const read = await fetch(url, { headers });
    const body = JSON.stringify({ agent: "kit", cwd: ${JSON.stringify(cwd())} });
    const write = await fetch(url, { method: "POST", headers, body });
    console.log(JSON.stringify([read.status, write.status, (await write.json()).code]));`;
  expect(await asAgent(rig, "ses_of_another_home", module)).toEqual([200, 403, "AGENT_CANNOT_ANSWER"]);
});
