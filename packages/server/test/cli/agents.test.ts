import { join } from "node:path";
import type { Preset } from "@drover/core";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { shippedPresets } from "../../src/drivers/presets.ts";
import { openRegistry, type Registry } from "../programs/registry.ts";
import { start } from "./run-cli.ts";

let home: string;
let registry: Registry;
/** Drover's own directory, which has its lockfiles. */
const own = () => join(home, "own");

beforeEach(async () => {
  const directory = await tempDir("home-");
  home = directory.path;
  onTestFinished(() => directory.remove());
  registry = await openRegistry(home);
});

async function drover(args: string[], shipped: readonly Preset[]) {
  const npm = { npm_config_registry: registry.url };
  const serverEnvironment = { PATH: process.env["PATH"] ?? "", HOME: home, ...npm };
  const config = { shipped, env: { DROVER_HOME: home } };
  const cli = start(args, { home, settings: { serverEnvironment, programs: own() }, config });
  return { code: await cli.ended, stdout: cli.stdout(), stderr: cli.stderr() };
}

/** A package that npm has, and Drover's lockfile for it. */
async function makePackage(about: { bin?: string }): Promise<Preset> {
  const manifest = { name: "kit-agent", version: "3.2.1" };
  await registry.publish(manifest, 'console.log("3.2.1")');
  await registry.lock(own(), manifest);
  return {
    ...{ agent: "kit", name: "Kit", driver: "jsonl", command: "kit-agent", args: [], env: {}, passEnv: [] },
    package: { ...manifest, ...about },
    login: { certain: true, remedy: "run `kit login`" },
    verified: "turns",
  };
}

describe("the list of agents", () => {
  test("shows installed agents first and how to install the others, in 80 columns", async () => {
    const { code, stdout } = await drover(["agents"], shippedPresets(home));
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^AGENT +INSTALLED +PROTOCOL +LOGIN +ABILITIES, OR HOW TO INSTALL$/);
    expect(lines).toHaveLength(22);
    const installed = lines.slice(1).map((line) => line.split(/ +/)[1] !== "no");
    expect(installed).toEqual([...installed].sort((a, b) => Number(b) - Number(a)));
    expect(stdout).toMatch(/^demo +yes +acp +ok +asks, resumes$/m);
    expect(stdout).toMatch(/^aider +no +text +install aider yourself$/m);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test("gives scripts everything, including tested versions and remedies", async () => {
    const kit = await makePackage({ bin: "kit-agent/cli.js" });
    const { stdout } = await drover(["agents", "--json"], [kit]);
    expect(JSON.parse(stdout)).toEqual({
      agents: [
        {
          ...{ agent: "kit", name: "Kit", driver: "jsonl", command: "kit-agent", connections: [] },
          ...{ installed: false, login: "missing", verified: "turns", remedy: "`drover agents add kit`" },
          package: { name: "kit-agent", version: kit.package?.version },
          capabilities: expect.objectContaining({ approvals: "none", completion: "event" }),
          modes: ["ask", "plan", "acceptEdits", "never"],
          lacks: ["model", "distrust", "accounts", "mcpServers", "conversations"],
        },
      ],
    });
  });
});

describe("an agent that is added", () => {
  test("is installed into the home by npm and found there, and the login remedy is shown", async () => {
    const shipped = [await makePackage({ bin: "kit-agent/cli.js" })];
    const added = await drover(["agents", "add", "kit"], shipped);
    expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining("To log in, run `kit login`.") });
    const { stdout } = await drover(["agents", "--json"], shipped);
    expect(JSON.parse(stdout).agents).toMatchObject([
      {
        installed: true,
        version: "3.2.1",
        command: join(home, "agents/kit-agent/node_modules/kit-agent/cli.js"),
        remedy: "run `kit login`",
      },
    ]);
    const { stdout: report } = await drover(["doctor", "--deep", "--json"], shipped);
    const { findings } = JSON.parse(report) as { findings: { check: string; message: string }[] };
    const messages = findings.filter(({ check }) => check === "agent kit").map(({ message }) => message);
    expect(messages).toContain("started: 3.2.1");
  });

  test("is printed with --json as in the list", async () => {
    const shipped = [await makePackage({ bin: "kit-agent/cli.js" })];
    const added = await drover(["agents", "add", "kit", "--json"], shipped);
    const { stdout } = await drover(["agents", "--json"], shipped);
    expect(JSON.parse(added.stdout)).toEqual(JSON.parse(stdout).agents[0]);
  });

  test("without a program for this platform is reported as unusable", async () => {
    const shipped = [await makePackage({ bin: "kit-agent/not-there" })];
    const added = await drover(["agents", "add", "kit"], shipped);
    expect(added).toMatchObject({ code: 1, stderr: expect.stringContaining("has no program for") });
  });

  test("that npm cannot install is exit 1", async () => {
    const shipped = [await makePackage({ bin: "kit-agent/cli.js" })];
    await registry.publish({ name: "kit-agent", version: "3.2.1" }, "tampered");
    expect(await drover(["agents", "add", "kit"], shipped)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("npm ended with"),
    });
  });

  test("that is not on npm is exit 2 and says what to do instead", async () => {
    const { package: _, ...shipped } = await makePackage({});
    expect(await drover(["agents", "add", "kit"], [shipped])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Install kit-agent yourself"),
    });
  });
});
