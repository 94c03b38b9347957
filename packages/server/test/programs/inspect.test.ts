import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { LoginSigns } from "@drover/core";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { inspectAgent } from "../../src/programs/inspect.ts";
import { kitPackage, kitPreset, machine } from "./support.ts";

const here = machine();

const signs: LoginSigns = {
  env: ["KIT_KEY"],
  files: ["$KIT_HOME/login.json", "~/.kit/login.json"],
  certain: true,
  remedy: "run `kit login`",
};

const loginOf = async (login: LoginSigns | "none" | undefined, env: Record<string, string> = {}) => {
  const preset = kitPreset({ passEnv: ["KIT_KEY", "KIT_HOME"], ...(login ? { login } : {}) });
  const { search } = here;
  return (await inspectAgent(preset, { ...search, env: { ...search.env, ...env } })).login;
};

describe("a login", () => {
  test("is detected in a variable that the agent would get, and in no other", async () => {
    expect(await loginOf(signs, { KIT_KEY: "made-up" })).toBe("ok");
    expect(await loginOf(signs, { KIT_KEY: "" })).toBe("missing");
    const unpassed = kitPreset({ login: { ...signs, env: ["OTHER_KEY"] } });
    const search = { ...here.search, env: { ...here.search.env, OTHER_KEY: "made-up" } };
    expect((await inspectAgent(unpassed, search)).login).toBe("missing");
    const own = { ...unpassed, env: { OTHER_KEY: "made-up" } };
    expect((await inspectAgent(own, search)).login).toBe("ok");
  });

  test("is detected in a file of the agent's home, wherever that is", async () => {
    expect(await loginOf(signs)).toBe("missing");
    await here.file(".kit/login.json");
    expect(await loginOf(signs)).toBe("ok");
    await here.file("elsewhere/login.json");
    const files = ["$KIT_HOME/login.json"];
    expect(await loginOf({ ...signs, files }, { KIT_HOME: `${here.home}/elsewhere` })).toBe("ok");
    expect(await loginOf({ ...signs, files })).toBe("missing");
  });

  test("that may be stored elsewhere is unknown rather than missing; one that is not needed is fine", async () => {
    const { certain: _, ...uncertain } = signs;
    expect(await loginOf(uncertain)).toBe("unknown");
    expect(await loginOf(undefined)).toBe("unknown");
    expect(await loginOf("none")).toBe("ok");
  });
});

describe("an agent comes with its remedy", () => {
  test("if it is not installed: the command that adds it, or the advice to install it", async () => {
    expect(await inspectAgent(kitPreset({ package: kitPackage, verified: "turns" }), here.search)).toEqual({
      installed: false,
      command: "kit",
      login: "unknown",
      verified: "turns",
      package: { name: "@kit/agent", version: "1.2.3" },
      remedy: "`drover agents add kit`",
    });
    expect(await inspectAgent(kitPreset(), here.search)).toMatchObject({ remedy: "install `kit` yourself" });
  });

  test("if it is not logged in, and without one if it is usable", async () => {
    const command = await here.file("bin/kit", "", 0o755);
    const preset = kitPreset({ login: signs });
    expect(await inspectAgent(preset, here.search)).toEqual({
      installed: true,
      command,
      login: "missing",
      remedy: "run `kit login`",
    });
    await here.file(".kit/login.json");
    expect(await inspectAgent(preset, here.search)).toEqual({ installed: true, command, login: "ok" });
  });

  test("with the path of a program that was added to the home, unless one is on PATH", async () => {
    const preset = kitPreset({ package: kitPackage, login: signs });
    const modules = "agents/@kit/agent/node_modules";
    await here.install(modules, kitPackage);
    await here.file(`${modules}/@kit/agent/cli.js`);
    const remedy = async (search = here.search) => (await inspectAgent(preset, search)).remedy;
    expect(await remedy(), "npm linked none").toBe("run `kit login`");
    const linked = await here.file(`${modules}/.bin/kit`, "", 0o755);
    expect(await remedy()).toBe(`run \`~/${modules}/.bin/kit login\``);
    expect(await remedy({ ...here.search, env: {} })).toBe(`run \`${linked} login\``);
    await here.file("bin/kit", "", 0o755);
    expect(await remedy()).toBe("run `kit login`");
  });

  test("with the package's program if npm links none, quoted for a shell if necessary", async () => {
    const machine = `${process.platform}-${process.arch}`;
    const preset = kitPreset({
      package: kitPackage,
      login: { ...signs, program: { [machine]: "kit-native/kit" } },
    });
    await using home = await tempDir("of a person-");
    const modules = join(home.path, "@kit/agent/node_modules");
    for (const file of ["@kit/agent/cli.js", "kit-native/kit"]) {
      await mkdir(dirname(join(modules, file)), { recursive: true });
      await writeFile(join(modules, file), "");
    }
    await writeFile(join(modules, "@kit/agent/package.json"), JSON.stringify(kitPackage));
    const search = { agents: home.path, own: home.path, env: { PATH: home.path, HOME: home.path } };
    expect((await inspectAgent(preset, search)).remedy).toBe(`run \`'${modules}/kit-native/kit' login\``);
  });
});
