import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPackage, Preset } from "@drover/core";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import { until } from "../../../../test/kit/until.ts";
import { installAgent } from "../../src/programs/install.ts";
import { Installer } from "../../src/programs/installer.ts";
import { findProgram } from "../../src/programs/locate.ts";
import { kitPreset, machine } from "./support.ts";

const here = machine();
const agents = () => here.search.agents;

/** Real npm, and nobody who could be asked for a package. */
const offline = () => ({
  agents: agents(),
  env: { PATH: process.env["PATH"] ?? "", HOME: here.home, npm_config_registry: "http://127.0.0.1:9" },
});

/** A package as its author has it. */
async function authored(version: string, about: Partial<AgentPackage> = {}): Promise<Preset> {
  const directory = join(here.home, `author-${version}`);
  const scripts = { postinstall: `touch ${JSON.stringify(join(here.home, "ran-a-script"))}` };
  await mkdir(directory);
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "@kit/agent", version, scripts }));
  await writeFile(join(directory, "cli.js"), "");
  const npm = { name: "@kit/agent", version: `file:${directory}`, bin: "@kit/agent/cli.js", ...about };
  return kitPreset({ package: npm });
}

/** A program called npm, which is all there is on PATH. */
async function standIn(text: string) {
  const file = await here.file("bin/npm.cjs", text);
  await here.file("bin/npm", `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, 0o755);
  return { agents: agents(), env: { PATH: join(here.home, "bin"), HOME: here.home } };
}

const version = async (preset: Preset) => (await findProgram(preset, here.search))?.version;
const kept = async () => (await readdir(agents())).filter((name) => name.startsWith("."));

describe("an agent that is installed", () => {
  test("is found with its version, a newer one takes its place, and no script of its package runs", async () => {
    const first = await authored("1.0.0");
    expect(await installAgent(first, offline())).toEqual({ ok: true, value: undefined });
    expect(await version(first)).toBe("1.0.0");
    expect(await installAgent(await authored("2.0.0"), offline())).toMatchObject({ ok: true });
    expect(await version(first)).toBe("2.0.0");
    expect(await kept()).toEqual([]);
    expect(await readdir(here.home)).not.toContain("ran-a-script");
  });

  test("by several at once is whole, whoever comes last", async () => {
    const presets = [await authored("1.0.0"), await authored("2.0.0")];
    const installs = presets.map((preset) => installAgent(preset, offline()));
    expect(await Promise.all(installs)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(["1.0.0", "2.0.0"]).toContain(await version(kitPreset(presets[0])));
    expect(await kept()).toEqual([]);
  });

  test("stays as it was when npm fails, or has no program for this machine", async () => {
    const first = await authored("1.0.0");
    await installAgent(first, offline());
    const npm = { name: "@kit/agent", version: "9.9.9", bin: "@kit/agent/cli.js" };
    const env = { ...offline().env, npm_config_fetch_retries: "0" };
    await expect(installAgent(kitPreset({ package: npm }), { ...offline(), env })).rejects.toMatchObject({
      code: "NETWORK",
      message: expect.stringMatching(
        /^npm ended with 1: code ECONNREFUSED; (?!.* at ).*registry must be reachable/,
      ),
    });
    const other = await authored("2.0.0", { bin: { "amiga-68k": "@kit/agent/cli.js" } });
    expect(await installAgent(other, offline())).toMatchObject({
      error: { code: "UNSUPPORTED", message: expect.stringContaining("has no program for") },
    });
    expect(await version(first)).toBe("1.0.0");
    expect(await kept()).toEqual([]);
  });

  test("is told where it cannot be put", async () => {
    const file = join(here.home, "a-file");
    await writeFile(file, "");
    await expect(
      installAgent(await authored("1.0.0"), { ...offline(), agents: join(file, "agents") }),
    ).rejects.toMatchObject({
      code: "AGENT_MISSING",
      message: expect.stringMatching(/a-file\/agents: ENOTDIR.* Make sure that this directory can be made/),
    });
  });

  test("is not looked for where its own program was named", async () => {
    expect(await installAgent(kitPreset({ command: "/opt/kit" }), offline())).toMatchObject({
      error: { message: "Kit is not installed by Drover. It is started as /opt/kit." },
    });
  });

  test("is refused with what to do instead when npm does not have it", async () => {
    expect(await installAgent(kitPreset(), offline())).toEqual({
      ok: false,
      error: {
        code: "UNSUPPORTED",
        message: "Kit is not installed by Drover. Install kit yourself, so that it is found on PATH.",
        facts: { what: "add" },
      },
    });
  });
});

describe("an install", () => {
  const half = `
    const fs = require("fs");
    fs.mkdirSync("node_modules/@kit/agent", { recursive: true });
    fs.writeFileSync("node_modules/@kit/agent/package.json", JSON.stringify({ name: "@kit/agent", version: "1.0.0" }));
    fs.writeFileSync("node_modules/@kit/agent/cli.js", "");
    fs.appendFileSync(process.env.HOME + "/runs", "x");
  `;
  const hangs = `${half} require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"]); setInterval(() => {}, 1e6);`;
  const runs = () => readFile(join(here.home, "runs"), "utf8").catch(() => "");

  test("that takes too long is ended with all it started, and what it had made so far is not found", async () => {
    const preset = await authored("1.0.0");
    await expect(installAgent(preset, { ...(await standIn(hangs)), timeoutMs: 500 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "npm was not done after 0.5 s, and was ended.",
    });
    expect(await version(preset)).toBeUndefined();
    expect(await kept()).toEqual([]);
    expect(processesOf(here.home)).toEqual([]);
  });

  test("is one for all who ask for it at the same time, and a new one afterwards", async () => {
    await using installer = new Installer(await standIn(half));
    const preset = await authored("1.0.0");
    const other = { ...preset, agent: "kit-acp" };
    await Promise.all([installer.install(preset), installer.install(preset), installer.install(other)]);
    expect(await runs()).toBe("x");
    expect(await installer.install(preset)).toMatchObject({ ok: true });
    expect(await runs()).toBe("xx");
  });

  test("that a server leaves behind when it ends is ended, with all that waited for it", async () => {
    const installer = new Installer(await standIn(hangs));
    const preset = await authored("1.0.0");
    const waiting = { ...preset, package: { name: "@kit/other", version: "1.0.0" } };
    const installs = Promise.allSettled([installer.install(preset), installer.install(waiting)]);
    await until(async () => (await runs()) === "x", { what: "npm is at work" });
    await installer[Symbol.asyncDispose]();
    expect(await installs).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    expect(await kept()).toEqual([]);
    expect(processesOf(here.home)).toEqual([]);
  });

  test("removes what killed ones have left, but not what another may still be making", async () => {
    const preset = await authored("1.0.0");
    for (const name of [".adding-old", ".adding-now"]) await here.file(join("agents", name, "new/file"));
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(agents(), ".adding-old"), longAgo, longAgo);
    await installAgent(preset, offline());
    expect(await kept()).toEqual([".adding-now"]);
  });
});
