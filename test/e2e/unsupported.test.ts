// Features that the contract names and this version lacks are refused by name over every interface.
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSocket, type Socket } from "../kit/socket.ts";
import { asked } from "./asking.ts";
import { type Conversation, drover, openRig, openSession, type Rig } from "./support.ts";

interface Case {
  readonly what: string;
  readonly http?: readonly [method: "GET" | "POST" | "DELETE", path: string, body?: object];
  readonly socket?: readonly [type: string, fields: object];
  readonly cli?: readonly string[];
}

let rig: Rig;
let socket: Socket;
let asking: Conversation;
let toolCallId: string;
beforeAll(async () => {
  rig = await openRig();
  socket = await openSocket(rig.server);
  asking = await openSession(rig, "demo");
  toolCallId = (await asked(asking, "run true")).id;
});
afterAll(async () => {
  for (const each of [asking, socket, rig]) await each[Symbol.asyncDispose]();
});

/** Filled in when a case runs, because the directory, session and approval are not known earlier. */
const fill = <T>(value: T): T =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll("CWD", join(rig.home, "work"))
      .replaceAll("SESSION", asking.id)
      .replaceAll("APPROVAL", toolCallId),
  ) as T;

const creating = (what: string, fields: object, ...cli: string[]): Case => {
  const body = { agent: "demo", cwd: "CWD", ...fields };
  return {
    what,
    http: ["POST", "/api/sessions", body],
    socket: ["session:create", body],
    ...(cli.length > 0 ? { cli: ["run", "demo", "--cwd", "CWD", ...cli, "hello"] } : {}),
  };
};

const scope = (name: string): Case => ({
  what: `scope ${name}`,
  http: ["POST", "/api/sessions/SESSION/approve", { toolCallId: "APPROVAL", scope: name }],
  socket: ["session:approve", { sessionId: "SESSION", toolCallId: "APPROVAL", scope: name }],
  cli: ["permit", "allow", "APPROVAL", "--scope", name],
});

const route = (what: string, method: "GET" | "POST" | "DELETE", path: string): Case => ({
  what,
  http: method === "POST" ? [method, path, {}] : [method, path],
});

const worker = (what: string, fields: object): Case => ({
  what,
  http: ["POST", "/api/workers", { agent: "demo", cwd: "CWD", prompt: "say hello", ...fields }],
});

const cases: readonly Case[] = [
  creating("container", { workspace: "container" }, "--container"),
  creating("confined", { confined: true }),
  creating("tools", { tools: ["read"] }),
  creating("network", { network: false }),
  scope("project"),
  scope("always"),
  {
    what: "permissionMode",
    http: ["POST", "/api/sessions/SESSION/approve", { toolCallId: "APPROVAL", permissionMode: "never" }],
    socket: ["session:approve", { sessionId: "SESSION", toolCallId: "APPROVAL", permissionMode: "never" }],
  },
  { what: "answers", http: ["POST", "/api/sessions/SESSION/resume", { answers: { q1: "yes" } }] },
  worker("confined", { confined: true }),
  worker("taskId", { taskId: "tsk_x" }),
  route("plans", "POST", "/api/proposals/prp_x/accept"),
  route("plans", "POST", "/api/proposals/prp_x/reject"),
  route("plans", "POST", "/api/proposals/prp_x/revert"),
  route("tRPC", "GET", "/trpc/sessions.list"),
  route("tRPC", "POST", "/trpc/sessions.create"),
  route("MCP", "GET", "/mcp"),
  route("MCP", "POST", "/mcp"),
];

const title = ({ what, http }: Case) => `${what}: ${http?.slice(0, 2).join(" ")}`;

test.each(cases.map((one) => [title(one), one] as const))(
  "%s is unsupported over every interface",
  async (_, one) => {
    const { what, http, socket: message, cli } = fill(one);
    if (http) {
      const [method, path, body] = http;
      const answer = await rig.client.ask(method, path, body ? { body } : {});
      expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what } });
      expect(answer.body["error"]).toMatch(/\w/);
    }
    if (message) {
      const [type, fields] = message;
      const frame = await socket.request(type, fields as Record<string, unknown>);
      expect(frame).toMatchObject({ type: "error", code: "UNSUPPORTED", what });
    }
    if (cli) {
      const { code, stderr, stdout } = await drover(rig.home, ...cli);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      const answer = await rig.client.ask(
        http?.[0] ?? "GET",
        http?.[1] ?? "",
        http?.[2] ? { body: http[2] } : {},
      );
      expect(stderr, "the server's message").toContain(String(answer.body["error"]).split(";")[0]);
    }
  },
);

test("no unsupported request creates or decides anything", async () => {
  expect(await asking.openInteractions()).toHaveLength(1);
  expect((await rig.client.get<{ sessions: unknown[] }>("/api/sessions")).sessions).toHaveLength(1);
});
