import { bounds } from "@drover/core";
import { describe, expect, test } from "vitest";
import { usually } from "../../../../test/kit/soak.ts";
import { openSocket } from "../../../../test/kit/socket.ts";
import { toSchema } from "../../src/api/describe/openapi.ts";
import { routesFor } from "../../src/api/routes/index.ts";
import { messagesFor } from "../../src/api/ws/messages.ts";
import { operations } from "../../src/operations/index.ts";
import { raw, startApi, token } from "./harness.ts";

const routes = routesFor(operations);
const socketMessages = messagesFor(operations);

type Json = Record<string, unknown>;

/** Patterns that bound the length: anchored, and without unbounded repetition. */
const isBoundedPattern = (pattern: unknown) =>
  typeof pattern === "string" &&
  /^\^.*\$$/.test(pattern) &&
  !/[*+]|\{\d+,\}/.test(pattern.replace(/\[[^\]]*\]/g, "x"));

/** Places in a JSON schema where a client may send any amount. */
function* unbounded(schema: Json, path: string): Generator<string> {
  const { type, properties, items, additionalProperties, propertyNames } = schema;
  const isFixed = "enum" in schema || "const" in schema;
  if (type === "string" && !isFixed && !("maxLength" in schema) && !isBoundedPattern(schema["pattern"])) {
    yield `${path}: a text without a longest length`;
  }
  if (type === "array" && !("maxItems" in schema)) yield `${path}: a list of any length`;
  if (additionalProperties && !("maxProperties" in schema)) yield `${path}: a record of any size`;
  if (
    type === undefined &&
    !isFixed &&
    !("anyOf" in schema) &&
    !("oneOf" in schema) &&
    !("allOf" in schema)
  ) {
    yield `${path}: anything at all`;
  }
  for (const [key, inner] of Object.entries((properties as Json) ?? {})) {
    yield* unbounded(inner as Json, `${path}.${key}`);
  }
  for (const inner of [items, additionalProperties, propertyNames]) {
    if (typeof inner === "object" && inner !== null) yield* unbounded(inner as Json, `${path}.*`);
  }
  for (const choices of [schema["anyOf"], schema["oneOf"], schema["allOf"]]) {
    for (const choice of (choices as Json[] | undefined) ?? []) yield* unbounded(choice, path);
  }
}

/** JSON of any shape, bounded by a separate check or by the body's size. */
const anything = [
  "POST /api/sessions/:id/approve body.input: anything at all",
  ...["confined", "taskId"].map((key) => `POST /api/workers body.${key}: anything at all`),
  "POST /api/proposals/:proposalId/accept body: anything at all",
  "POST /api/proposals/:proposalId/reject body: anything at all",
  "POST /api/proposals/:proposalId/revert body: anything at all",
  "POST /trpc/:procedure body: anything at all",
  "POST /mcp body: anything at all",
  "session:approve.input: anything at all",
  ...["tools", "network"].flatMap((key) => [
    `POST /api/sessions body.${key}: anything at all`,
    `session:create.${key}: anything at all`,
  ]),
];

test("everything a client can send is bounded: strings, lists and records of every route and message", () => {
  const found = [
    ...routes.flatMap(({ method, path, body, query }) => [
      ...(query ? unbounded(toSchema(query, "input"), `${method} ${path} query`) : []),
      ...(body && method !== "GET" ? unbounded(toSchema(body, "input"), `${method} ${path} body`) : []),
    ]),
    ...Object.entries(socketMessages).flatMap(([type, { schema }]) => [
      ...unbounded(toSchema(schema, "input"), type),
    ]),
  ];
  expect(found.sort()).toEqual([...anything].sort());
});

describe("oversized input is refused with a short answer", () => {
  const headers = { authorization: `Bearer ${token}` };
  const small = 64 * 1024;
  const keys = (count: number, size: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}${"k".repeat(size)}`, 1]));
  const servers = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, { command: "true" }]));

  test.each<[string, Json]>([
    ["15 MB of short unknown keys", keys(1_200_000, 0)],
    ["15 MB of long unknown keys", keys(15, 1_000_000)],
    ["an unknown key inside thousands of servers", { mcpServers: keys(40_000, 5) }],
    ["half a character below a long key", { ["k".repeat(1_000_000)]: "\ud800" }],
    ...usually<[string, Json][]>([], { inSoak: [["thousands of unknown keys", keys(50_000, 200)]] }),
  ])("%s", async (_what, body) => {
    await using api = await startApi();
    const sent = JSON.stringify({ agent: "demo", cwd: "/x", ...body });
    const answer = await raw(api.port, "/api/sessions", { method: "POST", headers, body: sent });
    expect(answer.status).toBe(400);
    expect(answer.body.length).toBeLessThan(small);
    await using socket = await openSocket(api);
    const frame = await socket.request("session:create", { agent: "demo", cwd: "/x", ...body });
    expect(frame).toMatchObject({ type: "error", code: answer.json["code"] });
    expect(JSON.stringify(frame).length).toBeLessThan(small);
  });

  test("a long type, session or agent in a frame is not echoed in full", async () => {
    await using api = await startApi();
    await using socket = await openSocket(api);
    const long = "x".repeat(5_000_000);
    socket.sendText(JSON.stringify({ type: long, requestId: "a" }));
    socket.sendText(JSON.stringify({ type: "session:open", sessionId: long, requestId: "b" }));
    socket.sendText(JSON.stringify({ type: "session:reconnect", cliType: long, requestId: "c" }));
    for (const id of ["a", "b", "c"]) {
      const frame = await socket.until(({ requestId }) => requestId === id);
      expect(frame).toMatchObject({ type: "error", code: "BAD_REQUEST" });
      expect(JSON.stringify(frame).length).toBeLessThan(small);
    }
  });

  test("200,000 MCP servers, more than fifty, or fifty large ones", async () => {
    await using api = await startApi();
    const create = (mcpServers: Json) =>
      raw(api.port, "/api/sessions", {
        ...{ method: "POST", headers },
        body: JSON.stringify({ agent: "demo", cwd: "/home/me", mcpServers }),
      });
    expect((await create(servers(200_000))).json).toMatchObject({ code: "BAD_REQUEST" });
    const many = await create(servers(51));
    expect(many.json).toMatchObject({ code: "BAD_REQUEST", issues: [{ path: "mcpServers" }] });
    expect(many.json["error"]).toContain("50 entries at most");
    const large = { command: "true", args: Array(20).fill("x".repeat(bounds.value)) };
    expect((await create({ large })).json["error"]).toContain("262144 bytes at most");
    expect((await create(servers(50))).status).toBe(201);
    expect(api.service.calls.filter((name) => name === "create")).toHaveLength(1);
  });
});
