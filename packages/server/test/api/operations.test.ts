import { ok, reject } from "@drover/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { api as client } from "../../../../test/kit/http.ts";
import { openSocket } from "../../../../test/kit/socket.ts";
import { messagesFor } from "../../src/api/ws/messages.ts";
import { operations } from "../../src/operations/index.ts";
import { isRead, type Operation, operation, pathFields } from "../../src/operations/operation.ts";
import { newSession, raw, startApi, type TestApi, token } from "./harness.ts";

/** Each message of the wire contract that is an operation, and which one it is. */
const contract: Readonly<Record<string, string>> = {
  "session:create": "sessions.create",
  "session:send": "sessions.send",
  "session:cancel": "sessions.interrupt",
  "session:archive": "sessions.update",
  "session:approve": "interactions.approve",
  "session:deny": "interactions.deny",
  "session:answer": "interactions.answer",
  "session:reconnect": "sessions.reconnect",
  "session:list": "sessions.list",
  "project:list": "projects.list",
  "project:add": "projects.add",
  "project:remove": "projects.remove",
};

const bearer = { authorization: `Bearer ${token}` };
const addNote = ({ port }: TestApi, fields: unknown, headers: Record<string, string> = bearer) =>
  raw(port, "/api/notes", { method: "POST", body: JSON.stringify(fields), headers });

/** Code, message and facts of an error, whichever face it came from. */
function errorOf(answer: Record<string, unknown>): Record<string, unknown> {
  const { error, message = error, requestId: _, type: __, sessionId: ___, ...facts } = answer;
  return { message, ...facts };
}

describe("E5 an operation added to the table", () => {
  const notes: string[] = [];
  const added = operation({
    name: "notes.add",
    summary: "Write something down",
    admission: "person",
    input: z.strictObject({ text: z.string().min(1).max(1_000_000), pin: z.boolean().default(false) }),
    output: z.object({ text: z.string(), pin: z.boolean(), by: z.string() }),
    limits: { prompt: ({ text }) => text },
    idempotent: false,
    http: { method: "POST", path: "/api/notes", status: 201 },
    socket: { type: "note:add", reply: "note:added", frame: (note) => ({ note }) },
    run: async (_service, { text, pin }, { by }) => {
      if (text === "nothing") return reject("NOT_FOUND", "There is nothing to write", { what: "note" });
      notes.push(text);
      const note = { text, pin, by };
      // Fields that the output does not declare must not leave the server unnoticed.
      return ok(text === "loud" ? { ...note, volume: 11 } : note);
    },
  });
  const start = () => startApi({ operations: [...operations, added] });

  test("is on HTTP, on the WebSocket, in OpenAPI and in the docs", async () => {
    await using api = await start();
    const answer = await addNote(api, { text: "milk" });
    expect([answer.status, answer.json]).toEqual([201, { text: "milk", pin: false, by: "api" }]);
    await using socket = await openSocket(api);
    const frame = await socket.request("note:add", { text: "bread", pin: true });
    expect(frame).toMatchObject({ type: "note:added", note: { text: "bread", pin: true, by: "api" } });
    expect(notes.splice(0)).toEqual(["milk", "bread"]);

    const { paths } = await client(api).get<{ paths: Record<string, unknown> }>("/api/openapi.json");
    expect(paths["/api/notes"]).toMatchObject({
      post: {
        summary: "Write something down",
        parameters: [{ name: "X-Client-Id" }, { name: "Idempotency-Key" }],
        requestBody: { content: { "application/json": { schema: { required: ["text"] } } } },
        responses: {
          201: { content: { "application/json": { schema: { required: ["text", "pin", "by"] } } } },
        },
      },
    });
    const { body } = await client(api).ask<string>("GET", "/docs");
    expect(body).toContain("POST /api/notes");
    expect(body).toContain("<code>note:add</code> Write something down");
  });

  test("refuses unauthenticated callers and sessions' processes on each face", async () => {
    await using api = await start();
    const answer = await addNote(api, { text: "milk" }, {});
    expect([answer.status, answer.json["code"]]).toEqual([401, "UNAUTHENTICATED"]);
    await expect(openSocket({ url: api.url, token: "" })).rejects.toThrow("401");
    api.peer = await newSession(api);
    const inside = await addNote(api, { text: "milk" });
    await using socket = await openSocket(api);
    const frame = await socket.request("note:add", { text: "milk" });
    expect(inside).toMatchObject({ status: 403, json: { code: "AGENT_CANNOT_ANSWER" } });
    expect(errorOf(frame)).toEqual(errorOf(inside.json));
    expect(notes).toEqual([]);
  });

  test.for<[string, Record<string, unknown>, string]>([
    ["a missing field", {}, "BAD_REQUEST"],
    ["an unknown field", { text: "milk", unheardOf: 1 }, "BAD_REQUEST"],
    ["a wrong type", { text: "milk", pin: "yes" }, "BAD_REQUEST"],
    ["half a character", { text: "\ud800" }, "INVALID_CHARACTER"],
    ["more than a prompt may have", { text: "x".repeat(786_433) }, "PROMPT_TOO_LARGE"],
    ["what the operation itself refuses", { text: "nothing" }, "NOT_FOUND"],
  ])("answers %s with the same error on each face", async ([, fields, code]) => {
    await using api = await start();
    await using socket = await openSocket(api);
    const answer = await addNote(api, fields);
    expect(answer.json["code"]).toBe(code);
    expect(errorOf(await socket.request("note:add", fields))).toEqual(errorOf(answer.json));
    expect(notes).toEqual([]);
  });

  test("is refused on each face while the service accepts no changes", async () => {
    await using api = await start();
    await using socket = await openSocket(api);
    api.service.refusal = { code: "STORAGE_FULL", message: "The disk is full" };
    const answer = await addNote(api, { text: "milk" });
    expect(answer).toMatchObject({ status: 503, json: { code: "STORAGE_FULL" } });
    expect(errorOf(await socket.request("note:add", { text: "milk" }))).toEqual(errorOf(answer.json));
  });

  test("runs once per Idempotency-Key", async () => {
    await using api = await start();
    const headers = { ...bearer, "idempotency-key": "n1" };
    const first = await addNote(api, { text: "milk" }, headers);
    expect(await addNote(api, { text: "milk" }, headers)).toMatchObject({ body: first.body });
    expect(notes.splice(0)).toEqual(["milk"]);
  });

  test("may answer only what its output declares, which tests check on each face", async () => {
    await using api = await start();
    await using socket = await openSocket(api);
    expect((await addNote(api, { text: "loud" })).json["code"]).toBe("BUG");
    expect(await socket.request("note:add", { text: "loud" })).toMatchObject({ code: "BUG" });
    expect(api.logged[0]?.facts?.["error"]).toContain("more than its output declares");
    notes.length = 0;
  });
});

describe("E5 every operation", () => {
  const routeOf = ({ http }: Operation) => `${http.method} ${http.path}`;

  test("has its own name, route and message", () => {
    const types = operations.flatMap(({ socket }) => socket?.type ?? []);
    for (const names of [operations.map(({ name }) => name), operations.map(routeOf), types]) {
      expect(new Set(names).size).toBe(names.length);
    }
    expect(operations.length).toBeGreaterThan(25);
  });

  test("accepts an Idempotency-Key if and only if it is a POST", () => {
    for (const each of operations) expect(each.idempotent, each.name).toBe(each.http.method !== "POST");
  });

  test("is in OpenAPI and refuses unauthenticated callers over HTTP", async () => {
    await using api = await startApi();
    const { paths } = await client(api).get<{ paths: Record<string, Record<string, object>> }>(
      "/api/openapi.json",
    );
    for (const { name, summary, http } of operations) {
      const described = paths[http.path.replaceAll(/:(\w+)/g, "{$1}")]?.[http.method.toLowerCase()];
      expect(described, name).toMatchObject({ summary });
      const path = http.path.replaceAll(/:\w+/g, "x");
      const stranger = await raw(api.port, path, { method: http.method });
      expect([stranger.status, stranger.json["code"]], name).toEqual([401, "UNAUTHENTICATED"]);
    }
  });

  test("is on the WebSocket where the contract names it", () => {
    const found = operations.flatMap(({ name, socket }) => (socket ? [[socket.type, name]] : []));
    expect(Object.fromEntries(found)).toEqual(contract);
    expect(Object.keys(messagesFor(operations)).toSorted()).toEqual(
      [...Object.keys(contract), "session:open", "session:close"].toSorted(),
    );
  });

  const changes = operations.filter((each) => each.socket && !each.socket.input && !isRead(each));
  test.for(changes.map((each) => [each.name, each] as const))(
    "%s answers the same mistake with the same error over HTTP and WebSocket",
    async ([, { http, socket: face }]) => {
      await using api = await startApi();
      await using socket = await openSocket(api);
      const ids: Record<string, string> = {
        sessionId: await newSession(api),
        projectId: "prj_00000000000000000000000000",
      };
      const named = Object.fromEntries(pathFields(http.path).map((field) => [field, ids[field] ?? ""]));
      const path = http.path.replace(/:\w+/, Object.values(named)[0] ?? "");
      const mistake = { unheardOf: true };
      const answer = await client(api).ask(http.method, path, { body: mistake });
      expect(answer.body["code"]).toBe("BAD_REQUEST");
      const frame = await socket.request(face?.type ?? "", { ...mistake, ...named });
      expect(errorOf(frame)).toEqual(errorOf(answer.body));
    },
  );
});
