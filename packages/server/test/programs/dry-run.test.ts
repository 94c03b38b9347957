import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { processesOf } from "../../../../test/kit/processes.ts";
import { checkAgents } from "../../src/doctor/agents.ts";
import { dryRun } from "../../src/programs/dry-run.ts";
import { AGENTS } from "../process/support.ts";
import { kitPackage, kitPreset, machine } from "./support.ts";

const here = machine();
/** Run by a shell, because `#!` does not support a path with a space. */
async function program(text: string): Promise<void> {
  const file = await here.file("bin/kit.cjs", text);
  await here.file("bin/kit", `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, 0o755);
}

describe("a program in a dry run", () => {
  test.for<[string, string, object]>([
    ["prints its version", 'console.log("kit 4.5.6-beta.1 (stable)")', { ok: true, said: "4.5.6-beta.1" }],
    ["prints it on standard error", 'console.error("v4.5.6.")', { ok: true, said: "4.5.6" }],
    ["prints nothing", "process.exit(0)", { ok: false, why: "it did not report its version" }],
    [
      "fails",
      'console.error("first"); console.error("no libc"); process.exit(1)',
      { ok: false, why: "it exited with 1 (no libc)" },
    ],
  ])("that %s", async ([, text, expected]) => {
    await program(text);
    expect(await dryRun(kitPreset(), here.search)).toEqual(expected);
  });

  test("gets --version, the agent's environment and no prompt", async () => {
    const saw = join(here.home, "saw.json");
    await program(
      `require("fs").writeFileSync(${JSON.stringify(saw)}, JSON.stringify({ argv: process.argv.slice(2), env: process.env, stdin: require("fs").readFileSync(0, "utf8") })); console.log("1.0.0")`,
    );
    const search = { ...here.search, env: { ...here.search.env, SECRET: "canary" } };
    await dryRun(kitPreset({ env: { KIT: "1" } }), search);
    const { argv, env, stdin } = JSON.parse(await readFile(saw, "utf8"));
    expect({ argv, stdin }).toEqual({ argv: ["--version"], stdin: "" });
    expect(env).toMatchObject({ KIT: "1", HOME: here.home });
    expect(env).not.toHaveProperty("SECRET");
  });

  test.for([
    ["jsonl", ["--safe", "--version"]],
    ["acp", ["run", "--safe"]],
  ] as const)(
    "over %s runs in its own empty directory, with the settings for an untrusted project",
    async ([driver, argv]) => {
      const saw = join(here.home, "saw.json");
      const answer = JSON.stringify({ jsonrpc: "2.0", id: 0, result: {} });
      await program(`
      const fs = require("fs");
      const cwd = process.cwd();
      const { mode, uid } = fs.statSync(cwd);
      const seen = { cwd, mode: mode & 0o777, uid, files: fs.readdirSync(cwd), argv: process.argv.slice(2), safe: process.env.KIT_SAFE };
      fs.writeFileSync(${JSON.stringify(saw)}, JSON.stringify(seen));
      console.log(process.argv.includes("--version") ? "1.0.0" : ${JSON.stringify(answer)});
    `);
      const switches = { args: ["--safe"], env: { KIT_SAFE: "1" } };
      const trust = { untrusted: switches, trusted: { args: ["--trusting"] } };
      expect(await dryRun(kitPreset({ driver, trust }), here.search)).toMatchObject({ ok: true });
      const seen = JSON.parse(await readFile(saw, "utf8"));
      expect(seen).toMatchObject({ argv, safe: "1", mode: 0o700, uid: process.getuid?.(), files: [] });
      expect(seen.cwd).not.toBe(tmpdir());
      // Agents also read settings in parent directories, so the parent must not be a directory that all users share.
      expect(dirname(seen.cwd)).toBe(here.search.agents);
      expect(await readdir(here.search.agents), "it is removed").toEqual([]);
    },
  );

  test("that cannot get its own directory is not started", async () => {
    await program(`require("fs").writeFileSync(${JSON.stringify(join(here.home, "ran"))}, "")`);
    await here.file("agents", "a file");
    const tried = await dryRun(kitPreset(), here.search);
    expect(tried).toEqual({ ok: false, why: expect.stringContaining("agents") });
    expect(await readdir(here.home)).not.toContain("ran");
  });

  test("answers over ACP if that is its protocol, and is ended with everything it started", async () => {
    const preset = kitPreset({ driver: "acp", command: process.execPath, args: [join(AGENTS, "echo.mjs")] });
    expect(await dryRun(preset, here.search)).toEqual({ ok: true, said: "answers over ACP" });
    expect(processesOf(here.home)).toEqual([]);
  });

  test("that exits instead of answering over ACP is reported with its last output", async () => {
    await program('console.error("no such option"); process.exit(2)');
    const tried = await dryRun(kitPreset({ driver: "acp" }), here.search);
    expect(tried).toEqual({ ok: false, why: "it exited without an answer (no such option)" });
  });

  test("leaves no helper behind", async () => {
    await program(
      'require("child_process").spawn("sleep", ["60"], { detached: true, stdio: "ignore" }).unref(); console.log("1.0.0")',
    );
    const { search } = here;
    const env = { ...search.env, PATH: `${search.env["PATH"]}:/usr/bin:/bin` };
    expect(await dryRun(kitPreset(), { ...search, env })).toMatchObject({ ok: true });
    expect(processesOf(here.home)).toEqual([]);
  });

  test("cannot be started if its interpreter is missing, and is not started if it does not exist", async () => {
    await here.file("bin/kit", "#!/no/such/interpreter\n", 0o755);
    expect(await dryRun(kitPreset(), here.search)).toMatchObject({
      ok: false,
      why: expect.stringContaining("ENOENT"),
    });
    expect(await dryRun(kitPreset({ command: "nobody" }), here.search)).toBeUndefined();
  });
});

describe("doctor", () => {
  const shipped = kitPreset({ package: kitPackage, verified: "turns with 1.2.3" });
  const check = (deep = false) => checkAgents([shipped], { search: here.search, deep });

  test("lists agents that are not installed in one line per source", async () => {
    const { package: _, ...own } = shipped;
    const others = [
      { ...shipped, agent: "other" },
      { ...own, agent: "elsewhere" },
    ];
    expect(await checkAgents([shipped, ...others], { search: here.search, deep: false })).toEqual([
      {
        check: "agents",
        status: "note",
        message: "Not installed: kit, other",
        remedy: "`drover agents add NAME` installs one.",
      },
      { check: "agents", status: "note", message: "Not installed: elsewhere", remedy: expect.any(String) },
    ]);
  });

  test("reports an untested version and a missing login, each with its remedy", async () => {
    await here.install("agents/node_modules", { ...kitPackage, version: "9.9.9" });
    await here.file("agents/node_modules/@kit/agent/cli.js", 'console.log("9.9.9")');
    const login = { env: ["KIT_KEY"], certain: true, remedy: "set KIT_KEY" } as const;
    const findings = await checkAgents([{ ...shipped, login }], { search: here.search, deep: true });
    expect(findings).toMatchObject([
      { check: "agent kit", status: "ok", message: expect.stringMatching(/^9\.9\.9, .*cli\.js$/) },
      {
        status: "note",
        message: "Kit is 9.9.9 here; Drover was tested with 1.2.3",
        remedy: expect.stringContaining("drover agents add kit"),
      },
      { status: "note", message: "Kit is not logged in", remedy: "To log in, set KIT_KEY." },
      { status: "ok", message: "started: 9.9.9" },
    ]);
  });

  test("does not call a custom program broken if it does not print its version", async () => {
    await here.file("bin/kit", "#!/bin/sh\nexit 2\n", 0o755);
    const { search } = here;
    const env = { ...search.env, PATH: `${search.env["PATH"]}:/usr/bin:/bin` };
    const own = kitPreset();
    expect(await checkAgents([own], { search: { ...search, env }, deep: true })).toMatchObject([
      { status: "ok" },
      { status: "note", message: expect.stringContaining("it exited with 2") },
    ]);
  });

  test("reports an installed program that does not start as broken", async () => {
    await here.install("agents/node_modules", kitPackage);
    await here.file("agents/node_modules/@kit/agent/cli.js", "throw new Error('half installed')");
    expect(await check()).toMatchObject([{ status: "ok" }]);
    expect(await check(true)).toMatchObject([
      { status: "ok" },
      {
        status: "broken",
        message: expect.stringContaining("Kit does not start"),
        remedy: expect.stringContaining("drover agents add kit"),
      },
    ]);
  });
});
