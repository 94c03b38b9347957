import { mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type Config,
  clientEnvironment,
  describeSource,
  findHome,
  reportConfig,
  serverEnvironment,
} from "../../src/config.ts";
import { findVersion } from "../../src/version.ts";
import { complaints, demo, loaded, place } from "./support.ts";

test("without a file every key has its documented default, in milliseconds and bytes", async () => {
  const { home, file, presets, sources, ...settings } = await loaded(undefined);
  const [second, minute, hour, mebibyte] = [1_000, 60_000, 3_600_000, 1_048_576];
  expect(settings).toEqual({
    server: {
      port: 4242,
      bind: "127.0.0.1",
      allowRemote: false,
      hosts: [],
      roots: [homedir()],
      stopAgents: false,
    },
    sessions: {
      workspace: "local",
      permissionMode: "ask",
      idleAfter: 30 * minute,
      stallAfter: 10 * minute,
      queueMax: 50,
    },
    interactions: { timeout: 0 },
    streams: { heartbeat: 15 * second, clientBuffer: 4 * mebibyte },
    git: { timeout: 5 * second },
    worktrees: {
      ...{ ports: "21000-30999", timeout: 120 * second },
      ...{ setupTimeout: 600 * second, checkTimeout: 600 * second },
    },
    checkpoints: { timeout: 5 * second, maxFile: 10 * mebibyte },
    supervision: {
      startTimeout: 30 * second,
      attempts: 5,
      backoff: second,
      maxBackoff: 30 * second,
      stableAfter: minute,
      stopGrace: 5 * second,
      startsAtOnce: 4,
    },
    workers: {
      atOnce: 4,
      permissionMode: "acceptEdits",
      turnTimeout: 0,
      signalTries: 3,
      signalBackoff: second,
      doneGrace: minute,
    },
    accounts: { rotation: "least-recently-used", assumeUntil: hour, rateLimitUpTo: 5 * minute },
    log: { level: "info", maxSize: 20 * mebibyte, keep: 5 },
    storage: { keepDeleted: 30 * 24 * hour, minFree: 512 * mebibyte },
    policy: join(place.path, "policy.yaml"),
  });
  expect(home.directory).toBe(place.path);
  expect(file).toBe(join(place.path, "drover.yaml"));
  expect([...presets.values()]).toEqual([demo]);
  expect(new Set([...sources.values()].map(({ kind }) => kind))).toEqual(new Set(["default"]));
});

test("the command line overrides the environment, which overrides the file, which overrides the defaults", async () => {
  const yaml = "server:\n  port: 1\n  hosts: [a.example]\n  stopAgents: true\nlog: {level: warn}\n";
  const env = { DROVER_PORT: "2", DROVER__LOG__LEVEL: "error" };
  const config = await loaded(yaml, { env, port: 3 });
  expect(config.server).toMatchObject({ port: 3, hosts: ["a.example"], stopAgents: true });
  expect(config.log.level).toBe("error");
  const from = (path: string) =>
    describeSource(config.sources.get(path) ?? { kind: "default" }).replace(`${place.path}/`, "");
  expect(["server.port", "server.hosts", "server.stopAgents", "log.level", "log.keep"].map(from)).toEqual([
    "--port",
    "drover.yaml:3",
    "drover.yaml:4",
    "DROVER__LOG__LEVEL",
    "default",
  ]);
  expect((await loaded(yaml, { stopAgents: false })).server).toMatchObject({ port: 1, stopAgents: false });
});

test("any key can be set by a variable, in any case, with or without underscores between words", async () => {
  const config = await loaded(undefined, {
    env: {
      DROVER__INTERACTIONS__TIMEOUT: "2s",
      DROVER__STREAMS__CLIENTBUFFER: "64KiB",
      DROVER__server__allowRemote: "true",
      DROVER__SERVER__HOSTS: "a.example,b.example",
      DROVER__SUPERVISION__STARTSATONCE: "1",
      DROVER__SUPERVISION__STOP_GRACE: "3s",
      DROVER__POLICY: "/etc/policy.yaml",
      DROVER__SERVER__PORT: "7",
      DROVER_PORT: "8",
      DROVER_BIND: "0.0.0.0",
      DROVER_ROOTS: "/srv/one:~/two",
      DROVER__LOG__LEVEL: "",
    },
  });
  expect(config.interactions.timeout).toBe(2_000);
  expect(config.streams.clientBuffer).toBe(65_536);
  expect(config.server).toEqual({
    port: 8,
    bind: "0.0.0.0",
    allowRemote: true,
    hosts: ["a.example", "b.example"],
    roots: ["/srv/one", join(homedir(), "two")],
    stopAgents: false,
  });
  expect(config.supervision).toMatchObject({ startsAtOnce: 1, stopGrace: 3_000 });
  expect(config.policy).toBe("/etc/policy.yaml");
  expect(config.log.level).toBe("info");
});

test("the interaction timeout can be none, which is the default", async () => {
  const timeoutOf = (config: Config) => {
    const { value, fallback } = reportConfig(config).settings["interactions.timeout"] ?? {};
    return [config.interactions.timeout, value, fallback];
  };
  for (const value of ["none", "0", "0s", '"0"']) {
    expect(timeoutOf(await loaded(`interactions: {timeout: ${value}}`)), value).toEqual([0, "none", "none"]);
  }
  const env = { DROVER__INTERACTIONS__TIMEOUT: "none" };
  expect(timeoutOf(await loaded("interactions: {timeout: 10m}", { env }))).toEqual([0, "none", "none"]);
  expect(timeoutOf(await loaded("interactions: {timeout: 2s}"))).toEqual([2_000, 2_000, "none"]);
});

test("--config or DROVER_CONFIG names another file, which must exist", async () => {
  await mkdir(join(place.path, "etc"));
  const [a, b] = [join(place.path, "etc", "a.yaml"), join(place.path, "b.yaml")];
  await writeFile(a, "server: {port: 11}\npolicy: rules.yaml");
  await writeFile(b, "server: {port: 12}");
  const both = { config: a, env: { DROVER_CONFIG: b } };
  const config = await loaded("server: {port: 13}", both);
  expect(config.server.port).toBe(11);
  expect(config.policy).toBe(join(place.path, "etc", "rules.yaml"));
  expect((await loaded(undefined, { env: { DROVER_CONFIG: b } })).server.port).toBe(12);
  expect(await complaints(undefined, { config: join(place.path, "none.yaml") })).toEqual([
    expect.stringMatching(/^none\.yaml:1: cannot be read: ENOENT/),
  ]);
});

test("an empty file, a file with only comments and empty sections change nothing", async () => {
  for (const yaml of ["", "# nothing yet\n", "server:\nagents:\n"]) {
    expect((await loaded(yaml)).server.port).toBe(4242);
  }
});

test("the home is DROVER_HOME, or else .drover in the user's home, and every file has a fixed path in it", () => {
  expect(findHome({}).directory).toBe(join(homedir(), ".drover"));
  const home = findHome({ DROVER_HOME: "/srv/drover" });
  expect(home).toMatchObject({
    config: "/srv/drover/drover.yaml",
    token: "/srv/drover/token",
    serverFile: "/srv/drover/server.json",
    serverLog: "/srv/drover/server.log",
    database: "/srv/drover/drover.db",
    agents: "/srv/drover/agents",
  });
  expect(home.runDirectory("ses_1", 3)).toBe("/srv/drover/sessions/ses_1/runs/3");
});

test("clients get their server, token and session from the environment", () => {
  expect(clientEnvironment({})).toEqual({ autostart: true });
  expect(
    clientEnvironment({
      DROVER_URL: "http://127.0.0.1:1",
      DROVER_TOKEN: "t",
      DROVER_NO_AUTOSTART: "1",
      DROVER_VERSION: "9.9.9",
      DROVER_SESSION: "ses_1",
    }),
  ).toEqual({ url: "http://127.0.0.1:1", token: "t", autostart: false, version: "9.9.9", session: "ses_1" });
  expect(serverEnvironment({ A: "1", B: undefined, PATH: "/bin" })).toEqual({ A: "1", PATH: "/bin" });
});

test("the version is DROVER_VERSION, or else the package's, or else `development`", () => {
  const nowhere = new URL("./no-package.json", import.meta.url);
  expect(findVersion()).toMatch(/^\d+\.\d+\.\d+/);
  expect(findVersion(nowhere)).toBe("development");
  process.env["DROVER_VERSION"] = "1.2.3-packaged";
  try {
    expect(findVersion(nowhere)).toBe("1.2.3-packaged");
  } finally {
    delete process.env["DROVER_VERSION"];
  }
});

test("the manual shows every key with its default", async () => {
  const manual = await readFile(join(import.meta.dirname, "../../../../docs/operating.md"), "utf8");
  const [, shown] = /```yaml\n(server:[\s\S]*?)```/.exec(manual) ?? [];
  const { file: _file, sources, ...documented } = await loaded(shown);
  const { file: _other, sources: _defaults, ...defaults } = await loaded("");
  expect(JSON.stringify(documented)).toBe(JSON.stringify(defaults));
  const unset = [...sources].filter(([, { kind }]) => kind === "default");
  expect(unset).toEqual([]);
});

test("a server passes only the absolute entries of its PATH to git, npm, agents and the next server", () => {
  const careless = serverEnvironment({ PATH: ":.:bin:/usr/local/bin:/usr/bin:" });
  expect(careless["PATH"]).toBe("/usr/local/bin:/usr/bin");
});
