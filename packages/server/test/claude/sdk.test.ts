import { chmod, mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { claudeDriver } from "../../src/drivers/claude/index.ts";
import { mcpServers, sdkOptions } from "../../src/drivers/claude/options.ts";
import { loadSdk, resolveClaudeCliPath } from "../../src/drivers/claude/sdk.ts";
import type { OpenRequest } from "../../src/ports.ts";

const sdk = "@anthropic-ai/claude-agent-sdk";
const bundle = `${sdk}-${process.platform}-${process.arch}`;

async function put(file: string, text: string, mode = 0o644): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  await chmod(file, mode);
  return file;
}

/** A package with that name, as npm would install it. */
async function install(directory: string, name: string): Promise<void> {
  const at = join(directory, "node_modules", name);
  const manifest = { name, type: "module", exports: { ".": { default: "./sdk.mjs" } } };
  await put(join(at, "package.json"), JSON.stringify(manifest));
  await put(join(at, "sdk.mjs"), `export const query = () => ${JSON.stringify(directory)};`);
}

const request = (directory: string): OpenRequest => ({
  sessionId: "ses_1",
  preset: {
    agent: "claude",
    name: "Claude Code",
    driver: "claude",
    command: "claude",
    args: [],
    env: {},
    passEnv: [],
  },
  cwd: directory,
  directory: join(directory, "run"),
  env: { PATH: join(directory, "bin") },
  mcpServers: {},
  permissionMode: "ask",
  epoch: 1,
  startTimeoutMs: 1_000,
  stopGraceMs: 1_000,
  signal: new AbortController().signal,
});

const parts = (more: Partial<OpenRequest> = {}) => ({
  request: { ...request("/project"), ...more },
  agentSessionId: more.agentSessionId ?? "new",
  cli: undefined,
  canUseTool: async () => null,
  spawn: () => {
    throw new Error("not in this test");
  },
});

test("the SDK is loaded from the first directory that has it", async () => {
  await using home = await tempDir();
  const [first, second, third] = ["a", "b", "c"].map((name) => join(home.path, name)) as [
    string,
    string,
    string,
  ];
  await install(second, sdk);
  await install(third, sdk);
  const directories = [first, join(second, "node_modules"), third];
  const loaded = loadSdk(directories, "Claude Code").sdk as unknown as { query: () => string };
  expect(loaded.query()).toBe(second);
});

test("an added SDK has its own directory and takes precedence over one beside it", async () => {
  await using home = await tempDir();
  await install(home.path, sdk);
  const own = join(home.path, sdk);
  await install(own, sdk);
  const loaded = loadSdk([home.path], "Claude Code").sdk as unknown as { query: () => string };
  expect(loaded.query()).toBe(own);
});

test("X2 without the SDK nothing is started, and the fault has the remedy", async () => {
  await using home = await tempDir();
  const driver = claudeDriver({ sdkDirectories: [home.path], programs: home.path });
  const host = { spawned: async () => undefined, record: async () => undefined, unreadable: () => {} };
  await expect(driver.open(request(home.path), host)).rejects.toMatchObject({
    code: "AGENT_MISSING",
    message: "Could not start Claude Code. Check that it's installed.",
    facts: { remedy: "drover agents add claude" },
  });
});

test("the program is the configured one, else the SDK's, else the one on PATH, else the SDK's default", async () => {
  await using home = await tempDir();
  await install(home.path, sdk);
  const { resolve } = loadSdk([home.path], "Claude Code");
  const search = { resolve, command: "claude", cwd: home.path, env: { PATH: join(home.path, "bin") } };
  expect(await resolveClaudeCliPath(search)).toBeUndefined();
  const onPath = await put(join(home.path, "bin", "claude"), "#!/bin/sh\n", 0o755);
  expect(await resolveClaudeCliPath(search)).toBe(onPath);
  const bundled = await put(join(home.path, "node_modules", bundle, "claude"), "", 0o755);
  await put(join(home.path, "node_modules", bundle, "package.json"), JSON.stringify({ name: bundle }));
  expect(await resolveClaudeCliPath(search)).toBe(bundled);
  expect(await resolveClaudeCliPath({ ...search, command: "/opt/claude" })).toBe("/opt/claude");
});

test("every process gets the context from its start, whether its conversation is new or resumed", () => {
  const prompt = { type: "preset", preset: "claude_code", append: "Working tree: clean", snapshot: false };
  const fresh = sdkOptions(parts({ system: "Working tree: clean" }));
  expect(fresh).toMatchObject({ systemPrompt: prompt, sessionId: "new", permissionMode: "default" });
  expect(fresh).not.toHaveProperty("resume");
  const resumed = sdkOptions(parts({ system: "Working tree: clean", agentSessionId: "old" }));
  expect(resumed).toMatchObject({ systemPrompt: prompt, resume: "old" });
  expect(resumed).not.toHaveProperty("sessionId");
});

test("project settings and hooks apply only in a trusted project", () => {
  expect(sdkOptions(parts()).settingSources).toEqual(["user"]);
  expect(sdkOptions(parts({ trusted: true })).settingSources).toEqual(["project", "user"]);
});

test("the environment is the session's, which can override what the driver adds", () => {
  expect(sdkOptions(parts({ env: { PATH: "/bin", CLAUDE_CODE_MAX_RETRIES: "0" } })).env).toEqual({
    PATH: "/bin",
    CLAUDE_CODE_MAX_RETRIES: "0",
    CLAUDE_CODE_ENABLE_TODO_TOOLS: "1",
    MCP_TIMEOUT: "10000",
    CLAUDE_CODE_STARTUP_FAILURE_RESULTS: "1",
  });
});

test("C6 if git does not answer, the agent does not run it either", () => {
  const off = { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "1" };
  expect(sdkOptions(parts({ isRepository: false })).env).toMatchObject(off);
  expect(sdkOptions(parts({ isRepository: true })).env).not.toMatchObject(off);
  const env = { CLAUDE_CODE_DISABLE_GIT_INSTRUCTIONS: "0" };
  expect(sdkOptions(parts({ isRepository: false, env })).env).toMatchObject(env);
});

test("MCP servers are passed in the agent's format", () => {
  const headers = { authorization: "Bearer x" };
  expect(
    mcpServers({ a: { command: "a", env: { K: "v" } }, b: { url: "http://127.0.0.1/", headers } }),
  ).toEqual({
    a: { command: "a", args: [], env: { K: "v" } },
    b: { type: "http", url: "http://127.0.0.1/", headers },
  });
});
