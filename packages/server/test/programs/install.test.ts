import { readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Preset } from "@drover/core";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import { isSoak } from "../../../../test/kit/soak.ts";
import { until } from "../../../../test/kit/until.ts";
import { installAgent } from "../../src/programs/install.ts";
import { Installer } from "../../src/programs/installer.ts";
import {
  agents,
  authored,
  helper,
  helperIntegrity,
  here,
  install,
  leftovers,
  ownOf,
  registry,
  standIn,
  version,
} from "./installing.ts";
import { kitPreset } from "./support.ts";

describe("installing an agent", () => {
  test("makes it available with its version, replaces an older one, and runs no package scripts", async () => {
    const first = await authored("1.0.0");
    expect(await installAgent(first, install("1.0.0"))).toEqual({ ok: true, value: undefined });
    expect(await version(first)).toBe("1.0.0");
    expect(await installAgent(await authored("2.0.0"), install("2.0.0"))).toMatchObject({ ok: true });
    expect(await version(first)).toBe("2.0.0");
    expect(await leftovers()).toEqual([]);
    expect(await readdir(here.home)).not.toContain("ran-a-script");
  });

  test("several times at once leaves one complete installation", async () => {
    const presets = [await authored("1.0.0"), await authored("2.0.0")];
    const installs = presets.map((preset) => installAgent(preset, install(preset.package?.version ?? "")));
    expect(await Promise.all(installs)).toMatchObject([{ ok: true }, { ok: true }]);
    expect(["1.0.0", "2.0.0"]).toContain(await version(kitPreset(presets[0])));
    expect(await leftovers()).toEqual([]);
  });

  test("leaves the old version in place if npm fails or has no program for this machine", async () => {
    const first = await authored("1.0.0");
    await installAgent(first, install("1.0.0"));
    const second = await authored("2.0.0");
    const env = { ...install("2.0.0").env, npm_config_registry: "http://127.0.0.1:9" };
    const cache = join(here.home, "empty-cache");
    const unreachable = { ...install("2.0.0"), env: { ...env, npm_config_cache: cache } };
    await expect(installAgent(second, unreachable)).rejects.toMatchObject({
      code: "NETWORK",
      message: expect.stringMatching(
        /^npm ended with 1: code ECONNREFUSED; (?!.* at ).*registry must be reachable/,
      ),
    });
    const other = await authored("3.0.0", { bin: { "amiga-68k": "@kit/agent/cli.js" } });
    expect(await installAgent(other, install("3.0.0"))).toMatchObject({
      error: { code: "UNSUPPORTED", message: expect.stringContaining("has no program for") },
    });
    expect(await version(first)).toBe("1.0.0");
    expect(await leftovers()).toEqual([]);
  });

  test("reports a directory that cannot be written", async () => {
    const file = join(here.home, "a-file");
    await writeFile(file, "");
    await expect(
      installAgent(await authored("1.0.0"), { ...install("1.0.0"), agents: join(file, "agents") }),
    ).rejects.toMatchObject({
      code: "AGENT_MISSING",
      message: expect.stringMatching(
        /a-file\/agents: ENOTDIR.* Make sure that this directory can be created/,
      ),
    });
  });

  test("is rejected for an agent with a configured program", async () => {
    expect(await installAgent(kitPreset({ command: "/opt/kit" }), install("1.0.0"))).toMatchObject({
      error: { message: "Kit is not installed by Drover. It is started as /opt/kit." },
    });
  });

  test("is rejected with the next step if npm does not have the agent", async () => {
    expect(await installAgent(kitPreset(), install("1.0.0"))).toEqual({
      ok: false,
      error: {
        code: "UNSUPPORTED",
        message: "Kit is not installed by Drover. Install kit yourself, so that it is found on PATH.",
        facts: { what: "add" },
      },
    });
  });
});

describe("an installation matches Drover's lockfile, or nothing is installed", () => {
  const refused = async (preset: Preset, why: RegExp) => {
    await expect(installAgent(preset, install("1.0.0"))).rejects.toMatchObject({
      code: "AGENT_MISSING",
      message: expect.stringMatching(why),
    });
    expect(await version(preset)).toBeUndefined();
    expect(await readdir(agents())).toEqual([]);
    expect(await readdir(here.home)).not.toContain("ran-a-script");
  };

  test("a newer version of a dependency is not installed", async () => {
    const preset = await authored("1.0.0");
    await registry.publish({ name: "kit-helper", version: "1.9.0" }, "newer");
    expect(await installAgent(preset, install("1.0.0"))).toMatchObject({ ok: true });
    const modules = join(agents(), "@kit/agent", "node_modules");
    expect(await readFile(join(modules, "kit-helper", "cli.js"), "utf8")).toBe("helper");
  });

  test.runIf(isSoak)("a dependency that was republished with other content is rejected", async () => {
    const preset = await authored("1.0.0");
    await registry.publish(helper, "tampered");
    await refused(preset, /EINTEGRITY/);
  });

  test("a dependency with other content and a forged integrity is rejected", async () => {
    const preset = await authored("1.0.0");
    await registry.publish(helper, "tampered", helperIntegrity);
    await refused(
      preset,
      /EINTEGRITY.*a package that does not match Drover's lockfile\. Nothing was installed/,
    );
  });

  test.runIf(isSoak)("the agent's package with other content is rejected", async () => {
    const preset = await authored("1.0.0");
    await registry.publish({ name: "@kit/agent", version: "1.0.0" }, "tampered");
    await refused(preset, /EINTEGRITY/);
  });

  test("a platform's program with other content is rejected, although npm would continue without it", async () => {
    const program = { name: "kit-native", version: "1.0.0" };
    const manifest = {
      name: "@kit/agent",
      version: "1.0.0",
      optionalDependencies: { "kit-native": "1.0.0" },
    };
    await registry.publish(program, "native");
    await registry.publish(manifest);
    await registry.lock(ownOf("1.0.0"), manifest, program);
    const bin = { [`${process.platform}-${process.arch}`]: "kit-native/cli.js" };
    const preset = kitPreset({ package: { name: "@kit/agent", version: "1.0.0", bin } });
    await registry.publish(program, "tampered");
    await refused(preset, /^npm left out kit-native: .*Nothing was installed\.$/);
  });

  test("a package without a lockfile, or with one for another version, is not installed", async () => {
    const preset = await authored("1.0.0");
    for (const own of [ownOf("none"), ownOf("2.0.0")]) {
      await authored("2.0.0");
      expect(await installAgent(preset, { ...install("1.0.0"), own })).toEqual({
        ok: false,
        error: {
          code: "UNSUPPORTED",
          message: expect.stringMatching(/no lockfile for @kit\/agent 1\.0\.0.*Install Kit yourself/),
          facts: { what: "add" },
        },
      });
    }
    expect(await version(preset)).toBeUndefined();
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

  test("that takes too long is ended with everything it started, and its partial result is ignored", async () => {
    const preset = await authored("1.0.0");
    await expect(installAgent(preset, { ...(await standIn(hangs)), timeoutMs: 500 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: "npm did not finish within 0.5 s and was stopped.",
    });
    expect(await version(preset)).toBeUndefined();
    expect(await leftovers()).toEqual([]);
    expect(processesOf(here.home)).toEqual([]);
  });

  test("passes only the absolute entries of PATH to npm", async () => {
    const preset = await authored("1.0.0");
    const stand = await standIn(`${half} fs.writeFileSync(process.env.HOME + "/path", process.env.PATH);`);
    const env = { ...stand.env, PATH: `:.:node_modules/.bin:${stand.env.PATH}:` };
    expect(await installAgent(preset, { ...stand, env })).toMatchObject({ ok: true });
    const directories = (await readFile(join(here.home, "path"), "utf8")).split(":");
    expect(directories).toEqual([join(here.home, "bin"), dirname(process.execPath)]);
  });

  test("is shared by concurrent callers, and a later call starts a new one", async () => {
    await using installer = new Installer(await standIn(half));
    const preset = await authored("1.0.0");
    const other = { ...preset, agent: "kit-acp" };
    await Promise.all([installer.install(preset), installer.install(preset), installer.install(other)]);
    expect(await runs()).toBe("x");
    expect(await installer.install(preset)).toMatchObject({ ok: true });
    expect(await runs()).toBe("xx");
  });

  test("in progress is ended when the server shuts down, and its callers are rejected", async () => {
    const installer = new Installer(await standIn(hangs));
    const preset = await authored("1.0.0");
    const waiting = await authored("1.0.0", { name: "@kit/other" });
    const installs = Promise.allSettled([installer.install(preset), installer.install(waiting)]);
    await until(async () => (await runs()) === "x", { what: "npm is running" });
    await installer[Symbol.asyncDispose]();
    expect(await installs).toMatchObject([{ status: "rejected" }, { status: "rejected" }]);
    expect(await leftovers()).toEqual([]);
    expect(processesOf(here.home)).toEqual([]);
  });

  test("removes leftovers of killed installations, but not those still in progress", async () => {
    const preset = await authored("1.0.0");
    for (const name of [".adding-old", ".adding-now"]) await here.file(join("agents", name, "new/file"));
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(join(agents(), ".adding-old"), longAgo, longAgo);
    await installAgent(preset, install("1.0.0"));
    expect(await leftovers()).toEqual([".adding-now"]);
  });
});
