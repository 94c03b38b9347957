// What an agent can do to Drover from its own shell, having found the token: SECURITY.md has the table.
import { join } from "node:path";
import type { Session } from "@drover/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { routesFor } from "../../packages/server/src/api/routes/index.ts";
import { messagesFor } from "../../packages/server/src/api/ws/messages.ts";
import { operations } from "../../packages/server/src/operations/index.ts";
import { until } from "../kit/until.ts";
import { asked } from "./asking.ts";
import {
  type Allowed,
  type Attempt,
  inside,
  insideAgents,
  isRefused,
  type Outcome,
  openShell,
  outside,
  readTable,
} from "./inside.ts";
import { type Make, message, requestWith } from "./inside-attempts.ts";
import { type Conversation, drover, openRig, openSession, type Rig } from "./support.ts";

const routes = routesFor(operations);
const socketMessages = messagesFor(operations);

let rig: Rig;
let own: Conversation;

beforeAll(async () => {
  rig = await openRig({ agents: insideAgents });
  own = await openShell(rig, { name: "own-session" });
});
afterAll(async () => {
  await own[Symbol.asyncDispose]();
  await rig[Symbol.asyncDispose]();
});

const cwd = () => join(rig.home, "work");

/** A session that has received no message. */
async function other(fields: Record<string, unknown> = {}): Promise<string> {
  const { id } = await rig.client.post<Session>("/api/sessions", { agent: "kit", cwd: cwd(), ...fields });
  return id;
}

const tableEntries: Readonly<Record<string, Allowed>> = {
  anyone: "yes",
  "own-session": "its own session",
  "not-looser": "not looser",
  person: "no",
};

test("H7 the table in SECURITY.md lists every route and message with its declared admission", async () => {
  const declared = [
    ...routes.map(({ method, path, admission }) => [`${method} ${path}`, tableEntries[admission]] as const),
    ...Object.entries(socketMessages).map(
      ([type, { admission }]) => [type, tableEntries[admission]] as const,
    ),
  ];
  const table = [...(await readTable())].filter(([name]) => !name.startsWith("drover "));
  expect(table.toSorted()).toEqual(declared.toSorted());
});

interface Case {
  readonly operation: string;
  readonly attempt: Attempt;
  readonly isAllowed: boolean;
}

/** An operation, tried on each kind of session that its rule distinguishes. */
async function casesOf(operation: string, allowed: Allowed | undefined, make: Make): Promise<Case[]> {
  const on = (sessionId: string, isAllowed: boolean): Case => ({
    operation,
    attempt: make(operation, sessionId),
    isAllowed,
  });
  if (allowed === "yes") return [on(own.id, true)];
  if (allowed === "no") return [on(own.id, false), on(await other(), false)];
  if (allowed === "not looser") {
    return [on(await other(), true), on(await other({ permissionMode: "never" }), false)];
  }
  // On its own session these would end the process that tries them, so they have separate tests.
  const isLast = /^(DELETE .*:id|.*(stop|interrupt)|session:cancel)$/.test(operation);
  return [...(isLast ? [] : [on(own.id, true)]), on(await other(), false)];
}

/** Tries all cases inside, then tries the refused ones outside, where a person is allowed to do them. */
async function judge(cases: readonly Case[]): Promise<void> {
  const describeCase = ({ operation, attempt }: Case, outcome: Outcome | undefined) =>
    `${operation} ${JSON.stringify(attempt)}: ${JSON.stringify(outcome)}`;
  const outcomes = await inside(
    rig,
    own,
    cases.map(({ attempt }) => attempt),
  );
  for (const [index, one] of cases.entries()) {
    const outcome = outcomes[index];
    expect(outcome && isRefused(outcome), describeCase(one, outcome)).toBe(!one.isAllowed);
  }
  const refused = cases.filter(({ isAllowed }) => !isAllowed);
  const byPerson = await outside(
    rig,
    refused.map(({ attempt }) => attempt),
  );
  for (const [index, one] of refused.entries()) {
    const outcome = byPerson[index];
    expect(outcome && isRefused(outcome), `a person: ${describeCase(one, outcome)}`).toBe(false);
  }
}

test("H7 over HTTP a session's process may do what the table says, and a person may do everything", async () => {
  const table = await readTable();
  const request = requestWith(rig.server.token);
  const cases: Case[] = [];
  for (const { method, path } of routes) {
    const operation = `${method} ${path}`;
    if (operation === "POST /api/sessions") continue;
    cases.push(...(await casesOf(operation, table.get(operation), request)));
  }
  const create = (fields: object, isAllowed: boolean): Case => ({
    operation: "POST /api/sessions",
    attempt: { method: "POST", path: "/api/sessions", body: { agent: "kit", cwd: cwd(), ...fields } },
    isAllowed,
  });
  cases.push(
    create({}, true),
    create({ permissionMode: "plan" }, true),
    create({ permissionMode: "acceptEdits" }, false),
  );
  await judge(cases);
});

test("H7 over a WebSocket a session's process may do what the table says, and a person may do everything", async () => {
  const table = await readTable();
  const cases: Case[] = [];
  for (const type of Object.keys(socketMessages)) {
    if (type === "session:create") continue;
    cases.push(...(await casesOf(type, table.get(type), message)));
  }
  const create = (fields: object, isAllowed: boolean): Case => ({
    operation: "session:create",
    attempt: { type: "session:create", fields: { cliType: "kit", cwd: cwd(), ...fields } },
    isAllowed,
  });
  cases.push(create({}, true), create({ permissionMode: "never" }, false));
  cases.push({
    operation: "session:reconnect",
    attempt: { type: "session:reconnect", fields: { cliType: "kit" } },
    isAllowed: false,
  });
  await judge(cases);
});

test("H7 with the drover command a session's process may do what the table says, and a person may do everything", async () => {
  await using asking = await openSession(rig, "demo");
  const { id } = await asked(asking, "run true");
  await using wondering = await openSession(rig, "demo");
  const question = await asked(wondering, "ask Which? | A | B");
  const loose = await other({ permissionMode: "never" });
  const [equal, doomed] = [await other(), await other()];
  const run = (args: string[], isAllowed: boolean): Case => ({
    operation: `drover ${args.join(" ")}`,
    attempt: { args },
    isAllowed,
  });
  const start = ["run", "kit", "hello", "--cwd", cwd(), "--detach"];
  const table = await readTable();
  const named = [...table].filter(([name, allowed]) => name.startsWith("drover ") && allowed === "no");
  expect(named.map(([name]) => name)).toEqual([
    "drover down",
    "drover backup",
    "drover prune",
    "drover agents add",
  ]);
  await judge([
    run(["ls"], true),
    run(["show", loose], true),
    run(["logs", loose], true),
    run(["agents"], true),
    run(start, true),
    run([...start, "--mode", "never"], false),
    run(["send", equal, "hello"], true),
    run(["send", loose, "hello"], false),
    run(["resume", equal], true),
    run(["resume", loose], false),
    run(["interrupt", equal], false),
    run(["stop", equal], false),
    run(["rm", doomed], false),
    run(["adopt", "kit", "none", "--cwd", cwd()], false),
    run(["permit", "deny", id], false),
    run(["permit", "allow", id], false),
    run(["answer", question.id, "A"], false),
    run(["prune", "--dry-run"], false),
    run(["backup", join(rig.home, "backup")], false),
    run(["agents", "add", "kit"], false),
  ]);
  // Last, because it would stop the server if a person ran it.
  const [refused] = await inside(rig, own, [{ args: ["down"] }]);
  expect(refused).toMatchObject({ exit: 7 });
  expect((await drover(rig.home, "ls")).code).toBe(0);
}, 180_000);

describe("H7 in its own session a process may", () => {
  const ends: [string, Attempt, (session: Session | undefined) => boolean][] = [
    [
      "stop",
      { method: "POST", path: "/api/sessions/:id/stop", body: {} },
      (session) => session?.state === "stopped",
    ],
    ["delete", { method: "DELETE", path: "/api/sessions/:id" }, (session) => session === undefined],
    [
      "interrupt",
      { method: "POST", path: "/api/sessions/:id/interrupt", body: {} },
      (session) => session?.lastTurn?.reason === "cancelled",
    ],
    [
      "cancel by socket",
      { type: "session:cancel", fields: {} },
      (session) => session?.lastTurn?.reason === "cancelled",
    ],
  ];
  test.for(ends)("%s", async ([, attempt, isSo]) => {
    await using session = await openShell(rig);
    const filled: Attempt =
      "path" in attempt
        ? { ...attempt, path: attempt.path.replace(":id", session.id) }
        : "type" in attempt
          ? { ...attempt, fields: { sessionId: session.id } }
          : attempt;
    // The process may be gone before the response arrives.
    void inside(rig, session, [filled]).catch(() => undefined);
    await until(async () => {
      const { status, body } = await rig.client.ask<Session>("GET", session.path());
      return isSo(status === 404 ? undefined : body);
    });
  });
});
