import { chmod, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Finding } from "@drover/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { homeAt } from "../../src/home.ts";
import { identify } from "../../src/process/identity.ts";
import { openSqliteStore } from "../../src/store/sqlite.ts";
import { FakeServer } from "./fake-server.ts";
import { type StartOptions, start } from "./run-cli.ts";

let home: string;

beforeEach(async () => {
  const directory = await tempDir("home-");
  home = join(directory.path, "drover");
  onTestFinished(() => directory.remove());
});

async function drover(args: string[], options: Partial<StartOptions> = {}) {
  const cli = start(args, { home, ...options });
  return { code: await cli.ended, stdout: cli.stdout(), stderr: cli.stderr() };
}

async function diagnose(options: Partial<StartOptions> = {}) {
  const { code, stdout } = await drover(["doctor", "--json"], options);
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] };
  const about = (check: string) => findings.filter((finding) => finding.check === check);
  return { code, ok, findings, about };
}

const makeHome = () => mkdir(home, { mode: 0o700 });

async function makeStore(): Promise<void> {
  await using _store = await openSqliteStore({ file: homeAt(home).database });
}

describe("doctor", () => {
  test("finds nothing broken where Drover was never started, and starts nothing", async () => {
    const { code, ok, about } = await diagnose();
    expect({ code, ok }).toEqual({ code: 0, ok: true });
    expect(about("home")).toMatchObject([{ status: "note" }]);
    expect(about("server")).toMatchObject([{ status: "note", remedy: "`drover serve` starts one." }]);
  });

  test("says each finding with its remedy for people, and exits with 1 when something is broken", async () => {
    await makeHome();
    await writeFile(join(home, "token"), "x");
    await chmod(join(home, "token"), 0o644);
    const { code, stdout } = await drover(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ token +Others can read .*\n +→ `chmod 600 /);
    expect(stdout).toMatch(/✓ node +\d+\./);
  });

  test("names a home that others can look into", async () => {
    await makeHome();
    await chmod(home, 0o755);
    expect((await diagnose()).about("home")).toMatchObject([
      { status: "broken", remedy: `\`chmod 700 ${home}\`` },
    ]);
  });

  test("finds nothing broken in a home that is a link to where it is kept", async () => {
    const kept = `${home}-kept`;
    await mkdir(kept, { mode: 0o700 });
    await symlink(kept, home);
    expect((await diagnose()).about("home")).toMatchObject([{ status: "ok", message: home }]);
    await chmod(kept, 0o755);
    expect((await diagnose()).about("home")).toMatchObject([{ status: "broken" }]);
  });

  test("names every mistake in the configuration with its line", async () => {
    await makeHome();
    await writeFile(join(home, "drover.yaml"), "server:\n  prot: 1\nlog: {level: loud}\n");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    const messages = about("configuration").map(({ message }) => message);
    expect(messages).toHaveLength(2);
    expect(messages.join("\n")).toContain("drover.yaml:2");
  });

  test("tells a server that answers, one that died, and one that does not answer apart", async () => {
    await using server = await FakeServer.start(home);
    expect((await diagnose()).about("server")).toMatchObject([{ status: "ok" }]);
    server.routes["GET /api/health"] = () => ({ status: 500, body: {} });
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
    await server.kill();
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
    const died = { ...identify(process.pid), startTime: "1", url: "x", version: "x", startedAt: "x" };
    await writeFile(join(home, "server.json"), JSON.stringify(died));
    expect((await diagnose()).about("server")).toMatchObject([
      { status: "note", remedy: "`drover serve` takes them up again." },
    ]);
    await writeFile(join(home, "server.json"), "{");
    expect((await diagnose()).about("server")).toMatchObject([{ status: "broken" }]);
  });

  test("notices a database that is none, and one that was kept aside", async () => {
    await makeHome();
    await writeFile(join(home, "drover.db"), "not a database at all");
    await writeFile(join(home, "drover.db.corrupt-20260218T143000000Z"), "");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    expect(about("database")).toMatchObject([{ status: "broken" }, { status: "note" }]);
  });

  test("notices a database of a newer Drover, and one in which damage was met", async () => {
    await makeHome();
    await makeStore();
    const db = new DatabaseSync(join(home, "drover.db"));
    db.exec("PRAGMA user_version = 999");
    db.close();
    await writeFile(join(home, "drover.db.suspect"), "");
    const { code, about } = await diagnose();
    expect(code).toBe(1);
    expect(about("database")).toMatchObject([
      { status: "broken", message: expect.stringContaining("newer Drover (schema 999") },
      { status: "broken", message: expect.stringContaining("Damage was met") },
    ]);
  });

  test("notes a policy, which this version does not read", async () => {
    await makeHome();
    expect((await diagnose()).about("policy")).toEqual([]);
    await writeFile(join(home, "policy.yaml"), "rules: []\n");
    expect((await diagnose()).about("policy")).toMatchObject([{ status: "note" }]);
  });

  test("compares the free space with the reserve, and shows what takes the space", async () => {
    await makeHome();
    await mkdir(join(home, "sessions", "ses_1"), { recursive: true });
    await writeFile(join(home, "sessions", "ses_1", "out"), Buffer.alloc(2 * 1024 ** 2));
    const config = { env: { DROVER_HOME: home, DROVER__STORAGE__MINFREE: "999999999GiB" } };
    const { code, about } = await diagnose({ config });
    expect(code).toBe(1);
    expect(about("disk")).toMatchObject([
      { status: "broken", remedy: expect.stringContaining("drover prune") },
    ]);
    expect(about("usage").map(({ message }) => message)).toEqual([
      expect.stringContaining("raw logs of 1 sessions 2.0 MiB"),
      "ses_1: 2.0 MiB",
    ]);
  });

  test("notes that git is not there, without calling Drover broken", async () => {
    await makeHome();
    expect((await diagnose()).about("git")).toMatchObject([{ status: "ok" }]);
    const { code, about } = await diagnose({ settings: { serverEnvironment: { PATH: home } } });
    expect(code).toBe(0);
    expect(about("git")).toMatchObject([{ status: "note", remedy: expect.stringContaining("Install git") }]);
  });

  test("notes an agent whose program is not there, without calling Drover broken", async () => {
    await makeHome();
    await writeFile(join(home, "drover.yaml"), "agents: {mine: {driver: acp, command: no-such-program}}\n");
    const { code, about } = await diagnose();
    expect(code).toBe(0);
    expect(about("agent mine")).toMatchObject([
      { status: "note", message: "no-such-program is not installed" },
    ]);
  });
});

describe("config", () => {
  test("shows every value with where it comes from, and of an agent's environment the names only", async () => {
    await makeHome();
    const yaml = "log: {level: warn}\nagents: {mine: {driver: acp, command: node, env: {KEY: hidden}}}\n";
    await writeFile(join(home, "drover.yaml"), yaml);
    const config = { env: { DROVER_HOME: home, DROVER_PORT: "7" } };
    const { code, stdout } = await drover(["config"], { config });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^server\.port +7 +\(DROVER_PORT\)$/m);
    expect(stdout).toMatch(/^log\.level +"warn" +\(.*drover\.yaml:1\)$/m);
    expect(stdout).toMatch(/^git\.timeout +5s$/m);
    expect(stdout).toMatch(/^storage\.keepDeleted +30d$/m);
    expect(stdout).toMatch(/^streams\.clientBuffer +4MiB$/m);
    const json = await drover(["config", "--json"], { config });
    expect(json.stdout).not.toContain("hidden");
    const { settings, agents } = JSON.parse(json.stdout);
    const port = { value: 7, from: "environment", source: "DROVER_PORT", fallback: 4242 };
    expect(settings["server.port"]).toEqual(port);
    expect(agents).toMatchObject([{ agent: "mine", env: ["KEY"] }]);
  });

  test("that is wrong is exit 2 and says all of it", async () => {
    await makeHome();
    await writeFile(join(home, "drover.yaml"), "server: {port: high}\nnope: 1\n");
    const { code, stderr } = await drover(["config"]);
    expect(code).toBe(2);
    expect(stderr).toContain("server.port");
    expect(stderr).toContain("nope");
  });
});

describe("agents", () => {
  test("add says what it cannot install and what to do instead", async () => {
    await makeHome();
    await writeFile(join(home, "drover.yaml"), "agents: {mine: {driver: acp, command: my-agent}}\n");
    const unknown = await drover(["agents", "add", "nobody"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toMatch(/no agent nobody[\s\S]*mine/);
    const own = await drover(["agents", "add", "mine"]);
    expect(own.code).toBe(2);
    expect(own.stderr).toMatch(/Install my-agent yourself/);
  });

  test("come from the configuration where no server runs, and none is started", async () => {
    await makeHome();
    const command = process.execPath;
    await writeFile(
      join(home, "drover.yaml"),
      JSON.stringify({
        agents: { mine: { driver: "acp", command }, other: { driver: "acp", command: "nope" } },
      }),
    );
    const { code, stdout } = await drover(["agents"], { settings: { autostart: true } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mine +yes +acp/m);
    expect(stdout).toMatch(/^other +no +acp/m);
  });

  test("come from the server where one runs", async () => {
    await using server = await FakeServer.start(home);
    const answer = { agents: [{ agent: "demo", installed: true, connections: [] }] };
    server.routes["GET /api/agents"] = () => ({ body: answer });
    expect(JSON.parse((await drover(["agents", "--json"])).stdout)).toEqual(answer);
  });
});

describe("backup and prune", () => {
  test("show at a terminal that they are at work, and leave nothing of that behind", async () => {
    await makeHome();
    await makeStore();
    const shown = Promise.withResolvers<void>();
    const cli = start(["backup", "copy"], { home, terminal: true, beforeStore: () => shown.promise });
    await cli.says("copying");
    shown.resolve();
    expect(await cli.ended).toBe(0);
    const stderr = cli.stderr();
    expect(stderr.lastIndexOf("\r\u001b[K")).toBeGreaterThan(stderr.lastIndexOf("copying"));
  });

  test("a configuration and raw logs that are links are in the backup themselves", async () => {
    await makeHome();
    await makeStore();
    const kept = `${home}-kept`;
    await mkdir(join(kept, "logs"), { recursive: true });
    await writeFile(join(kept, "settings.yaml"), "log: {level: warn}\n");
    await writeFile(join(kept, "logs", "stdout"), "said");
    await symlink(join(kept, "settings.yaml"), join(home, "drover.yaml"));
    await symlink(join(kept, "logs"), join(home, "sessions"));
    const copy = `${home}-copy`;
    expect(await drover(["backup", copy])).toMatchObject({ code: 0 });
    await rm(kept, { recursive: true });
    expect(await readFile(join(copy, "drover.yaml"), "utf8")).toBe("log: {level: warn}\n");
    expect(await readFile(join(copy, "sessions", "stdout"), "utf8")).toBe("said");
  });

  test("a home without a database has nothing to back up or to prune", async () => {
    expect((await drover(["backup", "copy"])).code).toBe(5);
    expect(await drover(["prune", "--json"])).toMatchObject({
      code: 0,
      stdout: '{"pruned":[],"bytes":0,"dryRun":false}\n',
    });
  });

  test("work beside a server of another version, and say so once", async () => {
    await using server = await FakeServer.start(home);
    await server.kill();
    await server.listen({ version: "0.0.9" });
    await makeStore();
    for (const args of [["backup", "copy"], ["prune"]]) {
      const { code, stderr } = await drover(args);
      expect(code).toBe(0);
      expect(stderr.match(/This is drover 0\.1\.0 and the server is 0\.0\.9/g)).toHaveLength(1);
    }
  });

  test("a place where no directory can be made takes no backup", async () => {
    await makeHome();
    await makeStore();
    expect(await drover(["backup", "/proc/copy"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("cannot be made"),
    });
  });
});
