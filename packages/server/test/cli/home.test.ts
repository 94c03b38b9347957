import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FakeServer } from "./fake-server.ts";
import { newHome } from "./new-home.ts";
import { start } from "./run-cli.ts";

const home = newHome();

describe("config", () => {
  test("shows every value and its source, but only the names of agents' environment variables", async () => {
    await home.make();
    const yaml = "log: {level: warn}\nagents: {mine: {driver: acp, command: node, env: {KEY: hidden}}}\n";
    await writeFile(join(home.path, "drover.yaml"), yaml);
    const config = { env: { DROVER_HOME: home.path, DROVER_PORT: "7" } };
    const { code, stdout } = await home.drover(["config"], { config });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^server\.port +7 +\(DROVER_PORT\)$/m);
    expect(stdout).toMatch(/^log\.level +"warn" +\(.*drover\.yaml:1\)$/m);
    expect(stdout).toMatch(/^git\.timeout +5s$/m);
    expect(stdout).toMatch(/^storage\.keepDeleted +30d$/m);
    expect(stdout).toMatch(/^streams\.clientBuffer +4MiB$/m);
    const json = await home.drover(["config", "--json"], { config });
    expect(json.stdout).not.toContain("hidden");
    const { settings, agents } = JSON.parse(json.stdout);
    const port = { value: 7, from: "environment", source: "DROVER_PORT", fallback: 4242 };
    expect(settings["server.port"]).toEqual(port);
    expect(agents).toMatchObject([{ agent: "mine", env: ["KEY"] }]);
  });

  test("with errors is exit 2 and lists all of them", async () => {
    await home.make();
    await writeFile(join(home.path, "drover.yaml"), "server: {port: high}\nnope: 1\n");
    const { code, stderr } = await home.drover(["config"]);
    expect(code).toBe(2);
    expect(stderr).toContain("server.port");
    expect(stderr).toContain("nope");
  });
});

describe("agents", () => {
  test("add says what it cannot install and what to do instead", async () => {
    await home.make();
    await writeFile(join(home.path, "drover.yaml"), "agents: {mine: {driver: acp, command: my-agent}}\n");
    const unknown = await home.drover(["agents", "add", "nobody"]);
    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toMatch(/No agent named "nobody"[\s\S]*mine/);
    const own = await home.drover(["agents", "add", "mine"]);
    expect(own.code).toBe(2);
    expect(own.stderr).toMatch(/Install my-agent yourself/);
  });

  test("come from the configuration if no server is running, and none is started", async () => {
    await home.make();
    const command = process.execPath;
    await writeFile(
      join(home.path, "drover.yaml"),
      JSON.stringify({
        agents: { mine: { driver: "acp", command }, other: { driver: "acp", command: "nope" } },
      }),
    );
    const { code, stdout } = await home.drover(["agents"], { settings: { autostart: true } });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mine +yes +acp/m);
    expect(stdout).toMatch(/^other +no +acp/m);
  });

  test("come from the server if one is running", async () => {
    await using server = await FakeServer.start(home.path);
    const answer = { agents: [{ agent: "demo", installed: true, connections: [] }] };
    server.routes["GET /api/agents"] = () => ({ body: answer });
    expect(JSON.parse((await home.drover(["agents", "--json"])).stdout)).toEqual(answer);
  });
});

describe("backup and prune", () => {
  test("show progress on a terminal and erase it afterwards", async () => {
    await home.make();
    await home.makeStore();
    const shown = Promise.withResolvers<void>();
    const cli = start(["backup", "copy"], {
      home: home.path,
      terminal: true,
      beforeStore: () => shown.promise,
    });
    await cli.says("copying");
    shown.resolve();
    expect(await cli.ended).toBe(0);
    const stderr = cli.stderr();
    expect(stderr.lastIndexOf("\r\u001b[K")).toBeGreaterThan(stderr.lastIndexOf("copying"));
  });

  test("links to the configuration and raw logs are followed by a backup", async () => {
    await home.make();
    await home.makeStore();
    const kept = `${home.path}-kept`;
    await mkdir(join(kept, "logs"), { recursive: true });
    await writeFile(join(kept, "settings.yaml"), "log: {level: warn}\n");
    await writeFile(join(kept, "logs", "stdout"), "said");
    await symlink(join(kept, "settings.yaml"), join(home.path, "drover.yaml"));
    await symlink(join(kept, "logs"), join(home.path, "sessions"));
    const copy = `${home.path}-copy`;
    expect(await home.drover(["backup", copy])).toMatchObject({ code: 0 });
    await rm(kept, { recursive: true });
    expect(await readFile(join(copy, "drover.yaml"), "utf8")).toBe("log: {level: warn}\n");
    expect(await readFile(join(copy, "sessions", "stdout"), "utf8")).toBe("said");
  });

  test("without a database there is nothing to back up or prune", async () => {
    expect((await home.drover(["backup", "copy"])).code).toBe(5);
    expect(await home.drover(["prune", "--json"])).toMatchObject({
      code: 0,
      stdout: '{"pruned":[],"bytes":0,"dryRun":false}\n',
    });
  });

  test("work next to a server of another version, with one warning", async () => {
    await using server = await FakeServer.start(home.path);
    await server.kill();
    await server.listen({ version: "0.0.9" });
    await home.makeStore();
    for (const args of [["backup", "copy"], ["prune"]]) {
      const { code, stderr } = await home.drover(args);
      expect(code).toBe(0);
      expect(stderr.match(/This is drover 0\.1\.0, but the server is 0\.0\.9/g)).toHaveLength(1);
    }
  });

  test("a backup fails if its directory cannot be created", async () => {
    await home.make();
    await home.makeStore();
    expect(await home.drover(["backup", "/proc/copy"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Cannot create"),
    });
  });
});
