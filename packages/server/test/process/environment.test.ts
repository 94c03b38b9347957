import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { until } from "../../../../test/kit/until.ts";
import { startAgentProcess } from "../../src/process/agent-process.ts";
import { agentEnvironment } from "../../src/process/environment.ts";
import { findTree } from "../../src/process/tree.ts";
import { AGENTS, collect, MARK, textOf } from "./support.ts";

const INHERITED = {
  PATH: "/bin",
  HOME: "/home/me",
  USER: "me",
  LOGNAME: "me",
  SHELL: "/bin/sh",
  LANG: "C.UTF-8",
  LC_ALL: "C",
  LC_TIME: "de_DE",
  TZ: "UTC",
  TERM: "xterm",
  TMPDIR: "/tmp",
  XDG_RUNTIME_DIR: "/run/me",
  XDG_CONFIG_HOME: "/home/me/.config",
  HTTP_PROXY: "http://proxy",
  HTTPS_PROXY: "http://proxy",
  NO_PROXY: "localhost",
  SSL_CERT_FILE: "/certs.pem",
  SSL_CERT_DIR: "/certs",
  NODE_EXTRA_CA_CERTS: "/ca.pem",
};
const REFUSED = {
  DROVER_TOKEN: "secret",
  ANTHROPIC_API_KEY: "sk-ant",
  OPENAI_API_KEY: "sk-oai",
  AWS_SECRET_ACCESS_KEY: "aws",
  NODE_OPTIONS: "--inspect",
  LD_PRELOAD: "/evil.so",
  SSH_AUTH_SOCK: "/ssh",
  LCX: "not a locale",
  MY_XDG_HOME: "not XDG",
  Path: "not PATH",
};

test("an agent inherits exactly the listed variables, and gets its session's mark", () => {
  const server = { ...INHERITED, ...REFUSED, http_proxy: "http://other", UNSET: undefined };
  expect(agentEnvironment({ server, sessionId: "ses_1" })).toEqual({ ...INHERITED, DROVER_SESSION: "ses_1" });
});

test("an agent gets the server's home if it is not the default, unless its project sets another", () => {
  const homeWith = (sources: object) =>
    agentEnvironment({ server: { PATH: "/bin", HOME: "/home/me" }, sessionId: "ses_1", ...sources })[
      "DROVER_HOME"
    ];
  expect(homeWith({ home: "/srv/drover" })).toBe("/srv/drover");
  expect(homeWith({ home: "/home/me/.drover" })).toBeUndefined();
  expect(homeWith({ home: "/home/me/.drover", preset: { HOME: "/tmp/other" } })).toBe("/home/me/.drover");
  expect(homeWith({ home: "/srv/drover", project: { DROVER_HOME: "/tmp/test" } })).toBe("/tmp/test");
});

test("a lowercase proxy variable is passed in uppercase", () => {
  const server = { PATH: "/bin", http_proxy: "http://proxy", no_proxy: "localhost", NO_PROXY: "127.0.0.1" };
  expect(agentEnvironment({ server, sessionId: "ses_1" })).toEqual({
    ...{ PATH: "/bin", HTTP_PROXY: "http://proxy", NO_PROXY: "127.0.0.1" },
    DROVER_SESSION: "ses_1",
  });
});

test("the preset's variables are passed on only if no account is set", () => {
  const server = { PATH: "/bin", ...REFUSED };
  const passEnv = ["ANTHROPIC_API_KEY", "NOT_SET"];
  const others = { PATH: "/bin", DROVER_SESSION: "ses_1" };
  expect(agentEnvironment({ server, passEnv, sessionId: "ses_1" })).toEqual({
    ...others,
    ANTHROPIC_API_KEY: "sk-ant",
  });
  const account = { CLAUDE_CODE_OAUTH_TOKEN: "token" };
  expect(agentEnvironment({ server, passEnv, account, sessionId: "ses_1" })).toEqual({
    ...others,
    ...account,
  });
  expect(agentEnvironment({ server, passEnv, account: {}, sessionId: "ses_1" })).toEqual(others);
});

test("an account replaces every other login, and keeps the home with the agent's conversations", () => {
  const server = { PATH: "/bin", AGENT_HOME: "/moved", AGENT_KEY: "server" };
  const sources = {
    ...{ server, sessionId: "ses_1", passEnv: ["AGENT_HOME", "AGENT_KEY"], homeEnv: "AGENT_HOME" },
    ...{ preset: { AGENT_KEY: "preset", COLOR: "1" }, project: { OTHER_KEY: "project", DATABASE: "db" } },
    loginEnv: ["AGENT_KEY", "OTHER_KEY"],
  };
  const others = { PATH: "/bin", AGENT_HOME: "/moved", COLOR: "1", DATABASE: "db", DROVER_SESSION: "ses_1" };
  expect(agentEnvironment(sources)).toEqual({ ...others, AGENT_KEY: "preset", OTHER_KEY: "project" });
  expect(agentEnvironment({ ...sources, account: { AGENT_KEY: "account" } })).toEqual({
    ...others,
    AGENT_KEY: "account",
  });
});

test("later sources win, the account over the project, and no source can forge a mark", () => {
  const forged = { DROVER_SESSION: "other" };
  const environment = agentEnvironment({
    server: { HOME: "/server", LANG: "server", TERM: "server", TZ: "server", ...forged },
    preset: { LANG: "preset", TERM: "preset", TZ: "preset", ...forged },
    project: { TERM: "project", TZ: "project", ...forged },
    account: { TZ: "account", ...forged },
    passEnv: ["DROVER_SESSION"],
    sessionId: "ses_1",
  });
  expect(environment).toEqual({
    PATH: "/usr/bin:/bin",
    HOME: "/server",
    LANG: "preset",
    TERM: "project",
    TZ: "account",
    DROVER_SESSION: "ses_1",
  });
});

test.for([
  ["the server", { server: { PATH: ":.:bin:/usr/bin:/bin:" } }],
  ["the preset", { server: {}, preset: { PATH: "/usr/bin::/bin" } }],
  ["the project", { server: {}, project: { PATH: "./node_modules/.bin:/usr/bin:/bin" } }],
] as const)(
  "a relative entry in the PATH of %s never leads to a program in the repository",
  async ([, from]) => {
    await using dir = await tempDir();
    const repository = join(dir.path, "repository");
    for (const directory of ["", "bin", "node_modules/.bin"]) {
      await mkdir(join(repository, directory), { recursive: true });
      await writeFile(join(repository, directory, "kit-tool"), "#!/bin/sh\necho planted\n", { mode: 0o755 });
    }
    const script = join(dir.path, "agent");
    await writeFile(script, "#!/bin/sh\n/usr/bin/env kit-tool || kit-tool || echo nothing\n", {
      mode: 0o755,
    });
    const env = agentEnvironment({ ...from, sessionId: MARK });
    expect(env["PATH"]).toBe("/usr/bin:/bin");
    const agent = await startAgentProcess({
      ...{ command: script, args: [], cwd: repository, env },
      ...{ directory: join(dir.path, "run"), input: "fifo" },
    });
    const lines = collect(agent);
    await agent.finished;
    expect(textOf(lines)).toEqual(["nothing"]);
  },
);

const CANARY = "canary-5b1f0c";
afterEach(() => {
  delete process.env["MY_SECRET"];
});

test("a real agent gets exactly that environment, and no process in its tree has the server's canary", async () => {
  await using dir = await tempDir();
  process.env["MY_SECRET"] = CANARY;
  const server = { ...process.env, HOME: dir.path };
  const env = agentEnvironment({ server, preset: { PRESET: "1" }, sessionId: MARK });
  const start = (program: string, file: string) =>
    startAgentProcess({
      command: process.execPath,
      args: [join(AGENTS, program), "--file", file],
      cwd: dir.path,
      env,
      directory: join(dir.path, program),
      input: "fifo",
    });
  const seen = join(dir.path, "environment.json");
  const pids = join(dir.path, "pids.json");
  const agents = [await start("environment.mjs", seen), await start("forks-and-setsids.mjs", pids)];
  const written = (path: string) =>
    until(() => readFile(path, "utf8").then((text) => text.endsWith("\n") && text));
  expect(JSON.parse(await written(seen))).toEqual(env);
  await written(pids);

  const trees = await Promise.all(agents.map((agent) => findTree(agent.identity, MARK)));
  const tree = trees.flat();
  expect(new Set(tree.map(({ pid }) => pid)).size, "five, and a parent for each agent").toBe(7);
  for (const { pid } of tree) {
    for (const name of ["environ", "cmdline"]) {
      expect(await readFile(`/proc/${pid}/${name}`, "latin1")).not.toContain(CANARY);
    }
  }
  for (const agent of agents) {
    collect(agent);
    expect(await agent.stop({ mark: MARK, grace: 100 })).toEqual({ survivors: [] });
    await agent.finished;
  }
});
