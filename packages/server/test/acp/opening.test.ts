import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { until } from "../../../../test/kit/until.ts";
import { readEntry } from "../../src/process/process-table.ts";
import { chunk, Place, RecordingHost, script, update } from "./support.ts";

test("a new conversation gets the directory, the system text and the tool servers", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open(
    {
      agent: "scripted",
      script: {
        initialize: {
          result: { protocolVersion: 1, agentCapabilities: { mcpCapabilities: { http: true } } },
        },
      },
    },
    host,
    {
      system: "Be brief.",
      mcpServers: {
        files: { command: "mcp-files", args: ["--all"], env: { DEBUG: "1" } },
        search: { url: "http://127.0.0.1:1/mcp", headers: { Authorization: "Bearer x" } },
      },
    },
  );
  expect(connection.agentSessionId).toBe("conversation-1");
  const [hello, begin] = await place.received();
  expect(hello).toMatchObject({
    id: "e1:0",
    method: "initialize",
    params: {
      protocolVersion: 1,
      clientInfo: { name: "drover", version: "1.2.3" },
      clientCapabilities: {
        fs: { readTextFile: false, writeTextFile: false },
        terminal: false,
        elicitation: { form: {} },
      },
    },
  });
  expect(begin).toMatchObject({
    id: "e1:1",
    method: "session/new",
    params: {
      cwd: place.dir.path,
      _meta: { systemPrompt: { append: "Be brief." } },
      mcpServers: [
        { name: "files", command: "mcp-files", args: ["--all"], env: [{ name: "DEBUG", value: "1" }] },
        {
          type: "http",
          name: "search",
          url: "http://127.0.0.1:1/mcp",
          headers: [{ name: "Authorization", value: "Bearer x" }],
        },
      ],
    },
  });
  expect(host.facts).toEqual([]);
});

test.each([
  { trusted: true, meta: { systemPrompt: { append: "Be brief." } } },
  { trusted: false, meta: { kit: { strict: true }, systemPrompt: { append: "Be brief." } } },
])(
  "with trusted: $trusted a conversation is opened with the matching metadata",
  async ({ trusted, meta }) => {
    await using place = await Place.make();
    const trust = { untrusted: { meta: { kit: { strict: true } } } };
    const preset = { ...place.request({ agent: "scripted" }).preset, trust };
    await place.open({ agent: "scripted" }, new RecordingHost(), { preset, system: "Be brief.", trusted });
    const [, begin] = await place.received();
    expect(begin?.method).toBe("session/new");
    expect(begin?.params?.["_meta"]).toEqual(meta);
  },
);

test("a tool server of an unsupported type is left out with a notice", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const mcpServers = { search: { url: "http://127.0.0.1:1/mcp" } };
  await place.open({ agent: "scripted" }, host, { mcpServers });
  expect((await place.received())[1]?.params?.["mcpServers"]).toEqual([]);
  expect(host.of("notice")[0]).toMatchObject({ code: "MCP_UNSUPPORTED", facts: { server: "search" } });
});

test("a process is stored before it gets input, and again after the handshake", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const gate = Promise.withResolvers<void>();
  host.gate = () => gate.promise;
  const opening = place.open({ agent: "scripted" }, host);
  const errors = join(place.dir.path, "run/stderr");
  await until(async () => (await readFile(errors, "utf8")).includes("listening"));
  expect(await place.received()).toEqual([]);
  gate.resolve();
  const connection = await opening;
  const parent = readEntry(connection.pid)?.parent;
  expect(host.spawns.map(({ pid, ready }) => ({ pid, ready }))).toEqual([
    { pid: parent, ready: false },
    { pid: parent, ready: true },
  ]);
  expect(host.spawns[1]).toMatchObject({ memo: { agentSessionId: "conversation-1" } });
  expect(host.spawns[1]?.position).toBeGreaterThan(0);
});

test("a loaded conversation's history is not reported again", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const before = [
    update({ sessionUpdate: "user_message_chunk", content: { type: "text", text: "old question" } }),
    chunk("old answer"),
    update({
      sessionUpdate: "tool_call",
      toolCallId: "old",
      title: "Old",
      kind: "read",
      status: "completed",
    }),
  ];
  const connection = await place.open(
    { agent: "scripted", script: { "session/load": { before, result: {} } } },
    host,
    { agentSessionId: "conversation-9", system: "Be brief." },
  );
  expect(connection.agentSessionId).toBe("conversation-9");
  expect((await place.received())[1]).toMatchObject({
    method: "session/load",
    params: { sessionId: "conversation-9", _meta: { systemPrompt: { append: "Be brief." } } },
  });
  await connection.prompt("trn_1", script({ send: [chunk("new answer")] }));
  await host.turnEnd("trn_1");
  expect(host.facts.map(({ type }) => type)).toEqual(["text", "turn_end"]);
  expect(host.text).toBe("new answer");
});

test("an agent that can resume but not load is resumed", async () => {
  await using place = await Place.make();
  const agentCapabilities = { sessionCapabilities: { resume: {} } };
  const result = { protocolVersion: 1, agentCapabilities };
  await place.open({ agent: "scripted", script: { initialize: { result } } }, new RecordingHost(), {
    agentSessionId: "conversation-9",
  });
  expect((await place.received())[1]).toMatchObject({ method: "session/resume" });
});

test("an agent that can do neither starts a new conversation, with a notice", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const connection = await place.open(
    { agent: "scripted", script: { initialize: { result: { protocolVersion: 1 } } } },
    host,
    { agentSessionId: "conversation-9" },
  );
  expect(connection.agentSessionId).toBe("conversation-1");
  expect(host.of("notice")).toMatchObject([{ code: "CONTEXT_LOST" }]);
});

const models = (currentValue: string): object => ({
  configOptions: [{ id: "llm", name: "Model", category: "model", type: "select", currentValue, options: [] }],
});

test("a model is selected with the agent's own option", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const answers = {
    "session/new": { result: { sessionId: "conversation-1", ...models("small") } },
    "session/set_config_option": { result: models("large") },
  };
  const connection = await place.open({ agent: "scripted", script: answers }, host, { model: "large" });
  expect((await place.received())[2]).toMatchObject({
    method: "session/set_config_option",
    params: { sessionId: "conversation-1", configId: "llm", value: "large" },
  });
  expect(host.facts).toEqual([{ type: "model", model: "large" }]);
  await connection.setModel("large");
  expect(host.facts).toHaveLength(1);
});

test("a connection has the models an agent offers, grouped or not, from either kind of option", async () => {
  const offers = async (fields: object) => {
    await using place = await Place.make();
    const answers = { "session/new": { result: { sessionId: "conversation-1", ...fields } } };
    const { models } = await place.open({ agent: "scripted", script: answers }, new RecordingHost());
    return models;
  };
  const small = { value: "small", name: "Small" };
  const group = { group: "big", name: "Big ones", options: [{ value: "large", name: "" }] };
  const option = {
    id: "model",
    name: "Model",
    type: "select",
    currentValue: "small",
    options: [small, group],
  };
  expect(await offers({ configOptions: [option] })).toEqual([
    { id: "small", name: "Small" },
    { id: "large", name: "large" },
  ]);
  const availableModels = [{ modelId: "m1", name: "Model One" }, { name: "no id" }];
  expect(await offers({ models: { currentModelId: "m1", availableModels } })).toEqual([
    { id: "m1", name: "Model One" },
  ]);
});

test("without a requested model, the model is the one the agent reports", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const answers = { "session/new": { result: { sessionId: "conversation-1", ...models("small") } } };
  await place.open({ agent: "scripted", script: answers }, host);
  expect(host.facts).toEqual([{ type: "model", model: "small" }]);
});

test("a model that the agent rejects or cannot select causes a notice, not a failure", async () => {
  await using place = await Place.make();
  const host = new RecordingHost();
  const answers = {
    "session/new": { result: { sessionId: "conversation-1", ...models("small") } },
    "session/set_config_option": { error: { code: -32602, message: "no such model" } },
  };
  await place.open({ agent: "scripted", script: answers }, host, { model: "huge" });
  expect(host.of("notice")).toMatchObject([{ code: "MODEL_UNSUPPORTED", facts: { model: "huge" } }]);
  expect(host.of("notice")[0]?.message).toContain("no such model");
  expect(host.of("model"), "which it keeps").toEqual([{ type: "model", model: "small" }]);

  await using other = await Place.make();
  const quiet = new RecordingHost();
  await other.open({ agent: "scripted" }, quiet, { model: "huge" });
  expect(quiet.of("notice")).toMatchObject([{ code: "MODEL_UNSUPPORTED" }]);
});
