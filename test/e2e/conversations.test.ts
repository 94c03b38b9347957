// Conversations that an agent keeps itself: listed, adopted, forked. The conformance suite shows that the real Claude
// Code remembers them; here the agent's memory is files that the test writes.
import { copyFile, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Item, Session } from "@drover/core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Conversation, openRig, openSession, type Rig } from "./support.ts";

let rig: Rig;
let work: string;
let memory: string;
let sdk: string;
beforeAll(async () => {
  rig = await openRig((home) => ({ agents: { claude: { env: { STAND_IN: join(home, "memory") } } } }));
  work = join(rig.home, "work");
  memory = join(rig.home, "memory");
  await mkdir(memory);
  const name = "@anthropic-ai/claude-agent-sdk";
  sdk = join(rig.home, ".drover", "agents", name, "node_modules", name);
  await mkdir(sdk, { recursive: true });
  await writeFile(join(sdk, "package.json"), '{"type":"module","exports":"./sdk.mjs"}');
  await copyFile(join(import.meta.dirname, "stand-in-sdk.mjs"), join(sdk, "sdk.mjs"));
});
afterAll(() => rig[Symbol.asyncDispose]());

interface Message {
  readonly type: "user" | "assistant";
  readonly uuid: string;
  readonly message: { readonly content: unknown };
  readonly timestamp: string;
}

const timestamp = "2026-01-02T03:04:05.000Z";
const asked = (uuid: string, content: unknown): Message => ({
  ...{ type: "user", uuid, message: { content }, timestamp },
});
const said = (uuid: string, ...content: object[]): Message => ({
  ...{ type: "assistant", uuid, message: { content }, timestamp },
});

/** Two questions; answering the first took a command. */
const messages: Message[] = [
  asked("1", "What is there?"),
  said("2", { type: "text", text: "I look." }),
  said("3", { type: "tool_use", id: "call", name: "Bash", input: { command: "ls" } }),
  asked("4", [{ type: "tool_result", tool_use_id: "call", content: "a file" }]),
  said("5", { type: "text", text: "A file." }),
  asked("6", "Thanks"),
  said("7", { type: "text", text: "Any time." }),
];

/** Makes the agent remember a conversation with this id. */
const remember = (id: string, cwd = work) =>
  writeFile(join(memory, `${id}.json`), JSON.stringify({ summary: `About ${id}`, cwd, messages }));

/** What the agent remembers under this id. */
async function recall(id: string): Promise<{ summary: string; messages: Message[] }> {
  return JSON.parse(await readFile(join(memory, `${id}.json`), "utf8"));
}

const adopt = (agentSessionId: string, fields: object = {}) =>
  rig.client.post<Session>("/api/sessions", { agent: "claude", cwd: work, agentSessionId, ...fields });

async function adopted(id: string): Promise<Conversation> {
  await remember(id);
  return new Conversation(rig, (await adopt(id)).id);
}

const textsOf = (items: readonly Item[]) => items.map(({ text, tool }) => text ?? tool?.title);
const everything = ["What is there?", "I look.", "ls", "A file.", "Thanks", "Any time."];

interface Listed {
  conversations: {
    agentSessionId: string;
    title: string;
    cwd: string;
    updatedAt: string;
    sessionId?: string;
  }[];
}
const listed = async (query = "") =>
  (await rig.client.get<Listed>(`/api/agents/claude/conversations${query}`)).conversations;

test("an agent's conversations are listed by directory, each with its session", async () => {
  const other = join(work, "other");
  await mkdir(other);
  await Promise.all([remember("mine"), remember("else", other), remember("hidden", "/etc")]);
  const { id } = await adopt("mine");
  const all = await listed();
  expect(all.map(({ agentSessionId }) => agentSessionId).sort()).toEqual(["else", "mine"]);
  expect(await listed(`?cwd=${other}`)).toEqual([
    { agentSessionId: "else", title: "About else", cwd: other, updatedAt: "1970-01-01T00:00:00.000Z" },
  ]);
  expect(all.find(({ agentSessionId }) => agentSessionId === "mine")?.sessionId).toBe(id);
});

test.for([
  ["claude", "?cwd=/etc", 403, { code: "OUTSIDE_BOUNDARY" }],
  ["claude", "?cwd=here", 400, { code: "BAD_REQUEST" }],
  ["demo", "", 400, { code: "UNSUPPORTED", what: "conversations" }],
  ["nobody", "", 404, { code: "NOT_FOUND", what: "agent" }],
] as const)("listing the conversations of %s%s is refused", async ([agent, query, status, body]) => {
  const answer = await rig.client.ask("GET", `/api/agents/${agent}/conversations${query}`);
  expect(answer).toMatchObject({ status, body });
});

test("an adopted conversation shows all earlier items, even after kill -9", async () => {
  await remember("outside");
  const session = await adopt("outside");
  expect(session).toMatchObject({ title: "About outside", state: "idle", agentSessionId: "outside", run: 0 });
  await rig.server.kill9();
  await rig.start();
  await using conversation = new Conversation(rig, session.id);
  const items = await conversation.items();
  expect(textsOf(items)).toEqual(everything);
  expect(items[2]).toMatchObject({
    at: timestamp,
    tool: { toolCallId: "call", status: "complete", result: { text: "a file" } },
  });
  expect(items.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(new Set(items.slice(0, 4).map(({ turnId }) => turnId)).size).toBe(1);
  expect(new Set(items.map(({ turnId }) => turnId)).size).toBe(2);
  await conversation.follower.until(({ seq }) => seq === session.lastSeq);
  expect(conversation.all("item").map(({ item }) => item)).toEqual(items);
  expect((await conversation.get()).lastSeq).toBe(6);
});

test("a conversation belongs to one session at a time, even when two requests arrive at once", async () => {
  await remember("wanted");
  const create = { body: { agent: "claude", cwd: work, agentSessionId: "wanted" } };
  const answers = await Promise.all([1, 2].map(() => rig.client.ask("POST", "/api/sessions", create)));
  const [made, refused] = answers.sort((a, b) => a.status - b.status);
  const id = String(made?.body["id"]);
  expect([made?.status, refused?.status]).toEqual([201, 400]);
  expect(refused?.body).toMatchObject({
    code: "BAD_REQUEST",
    issues: [{ path: "agentSessionId", message: expect.stringContaining(id) }],
  });
  await rig.client.patch(`/api/sessions/${id}`, { archived: true });
  expect((await rig.client.ask("POST", "/api/sessions", create)).status).toBe(400);
  await rig.client.delete(`/api/sessions/${id}`);
  expect((await rig.client.ask("POST", "/api/sessions", create)).status).toBe(201);
});

test("an unknown conversation, or one from another directory, is not found", async () => {
  const elsewhere = join(work, "elsewhere");
  await mkdir(elsewhere);
  await remember("far", elsewhere);
  for (const agentSessionId of ["unknown", "far"]) {
    const body = { agent: "claude", cwd: work, agentSessionId };
    const answer = await rig.client.ask("POST", "/api/sessions", { body });
    expect(answer).toMatchObject({ status: 404, body: { code: "NOT_FOUND", what: "conversation" } });
  }
});

test("a fork copies its source except for its identity, and the source stays unchanged", async () => {
  await remember("source");
  const fields = { title: "Source", model: "opus", permissionMode: "plan", system: "Be brief" };
  const mcpServers = { files: { command: "files" } };
  await using source = new Conversation(rig, (await adopt("source", { ...fields, mcpServers })).id);
  const before = await source.get();
  const fork = await source.post<Session>("fork");
  expect(fork).toMatchObject({
    ...{ agent: "claude", cwd: work, model: "opus", permissionMode: "plan", title: "Source (fork)" },
    ...{ state: "idle", run: 0, usage: { inputTokens: 0, outputTokens: 0 }, lastSeq: 6 },
  });
  expect(fork.name).not.toBe(before.name);
  await using forked = new Conversation(rig, fork.id);
  const [items, own] = [await source.items(), await forked.items()];
  expect(textsOf(own)).toEqual(everything);
  const ids = (of: Item[]) => of.flatMap(({ id, turnId = "", tool }) => (tool ? [turnId] : [id, turnId]));
  expect(ids(own).filter((id) => ids(items).includes(id))).toEqual([]);
  expect(await recall(fork.agentSessionId ?? "")).toMatchObject({ summary: "Source (fork)", messages });
  expect(await source.get()).toEqual(before);
});

test("a fork at an event ends there, includes the result of its tool call, and can be forked again", async () => {
  await using source = await adopted("long");
  const fork = await source.post<Session>("fork", { at: 3, title: "Middle" });
  await using forked = new Conversation(rig, fork.id);
  expect(textsOf(await forked.items())).toEqual(everything.slice(0, 3));
  const kept = await recall(fork.agentSessionId ?? "");
  expect([kept.summary, kept.messages]).toEqual(["Middle", messages.slice(0, 4)]);
  const again = await forked.post<Session>("fork", { at: 2 });
  expect((await recall(again.agentSessionId ?? "")).messages).toEqual(messages.slice(0, 2));
});

test("a fork at an event that the agent no longer remembers, or that never existed, is refused", async () => {
  await using source = await adopted("forgetful");
  const shorter = { summary: "", cwd: work, messages: messages.slice(4) };
  await writeFile(join(memory, "forgetful.json"), JSON.stringify(shorter));
  for (const at of [2, 7, 0, 1.5]) {
    const answer = await rig.client.ask("POST", source.path("/fork"), { body: { at } });
    expect(answer).toMatchObject({ status: 400, body: { code: "BAD_REQUEST", issues: [{ path: "at" }] } });
  }
  expect((await source.post<Session>("fork", { at: 4 })).lastSeq).toBe(4);
});

test("repeating a fork request creates one fork", async () => {
  await using source = await adopted("once");
  const before = (await readdir(memory)).length;
  const key = { "idempotency-key": "fork-once" };
  const forks = [];
  for (let n = 0; n < 2; n++) {
    forks.push(await rig.client.post<Session>(source.path("/fork"), { title: "Once" }, key));
  }
  expect(forks[1]).toEqual(forks[0]);
  expect((await readdir(memory)).length).toBe(before + 1);
});

test("a fork of an empty session is a new session with the same settings", async () => {
  await using source = await openSession(rig, "claude", { model: "opus" });
  const fork = await source.post<Session>("fork");
  expect(fork).toMatchObject({ model: "opus", lastSeq: 0 });
  expect(fork).not.toHaveProperty("agentSessionId");
});

test("an agent that cannot fork says so, and still accepts the id of a conversation", async () => {
  await using session = await openSession(rig, "demo", { agentSessionId: "any" });
  expect((await session.get()).capabilities.fork).toBe(false);
  const answer = await rig.client.ask("POST", session.path("/fork"));
  expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what: "fork" } });
});

test("a fork whose agent is not installed is refused with the command that installs it", async () => {
  await using source = await adopted("waiting");
  await rename(sdk, `${sdk}-away`);
  try {
    const answer = await rig.client.ask<{ error: string }>("POST", source.path("/fork"));
    expect(answer).toMatchObject({ status: 400, body: { code: "UNSUPPORTED", what: "fork" } });
    expect(answer.body.error).toContain("drover agents add claude");
  } finally {
    await rename(`${sdk}-away`, sdk);
  }
});
