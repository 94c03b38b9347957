import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { findProgram, locate } from "../../src/programs/locate.ts";
import { kitPackage, kitPreset, machine } from "./support.ts";

const here = machine();
const packed = kitPreset({ package: kitPackage });
const platform = `${process.platform}-${process.arch}`;
const native = kitPreset({ package: { ...kitPackage, bin: { [platform]: "@kit/agent-native/kit" } } });

describe("an agent's program", () => {
  test("is the added one before any on PATH; a script is run by the Node that runs Drover", async () => {
    await here.file("bin/kit", "", 0o755);
    await here.install("agents/node_modules", kitPackage);
    const script = await here.file("agents/node_modules/@kit/agent/cli.js");
    expect(await findProgram(packed, here.search)).toEqual({
      command: process.execPath,
      args: [script],
      file: script,
      version: "1.2.3",
    });
    expect(await locate(packed, here.search)).toEqual({
      ...packed,
      command: process.execPath,
      args: [script, "run"],
    });
  });

  test("is the one on PATH while an installation is incomplete", async () => {
    const onPath = await here.file("bin/kit", "", 0o755);
    for (const half of ['{ "name": "@kit/ag', "null", '{ "name": "@kit/agent" }']) {
      await here.file("agents/node_modules/@kit/agent/package.json", half);
      expect(await findProgram(packed, here.search)).toMatchObject({ command: onPath });
    }
  });

  test("is the native program of its package, beside it or below it", async () => {
    await here.install("agents/node_modules", kitPackage);
    const beside = await here.file("agents/node_modules/@kit/agent-native/kit", "", 0o755);
    expect(await locate(native, here.search)).toMatchObject({ command: beside, args: ["run"] });
    const below = await here.file(
      "agents/node_modules/@kit/agent/node_modules/@kit/agent-native/kit",
      "",
      0o755,
    );
    expect(await locate(native, here.search)).toMatchObject({ command: below, args: ["run"] });
  });

  test("on PATH is used directly if npm did not install it", async () => {
    const file = await here.file("bin/kit", "", 0o755);
    expect(await findProgram(packed, here.search)).toEqual({ command: file, args: [], file });
    expect(await findProgram(kitPreset(), here.search)).toEqual({ command: file, args: [], file });
  });

  test("on PATH is the program that npm's link would start, with its version", async () => {
    await here.install("lib/node_modules", { ...kitPackage, version: "2.0.0" });
    const entry = await here.file("lib/node_modules/@kit/agent/entry.js", "", 0o755);
    await here.link("bin/kit", entry);
    const file = await here.file("lib/node_modules/@kit/agent-native/kit", "", 0o755);
    expect(await findProgram(native, here.search)).toEqual({
      command: file,
      args: [],
      file,
      version: "2.0.0",
    });
  });

  test("that is missing or not executable is not found, and its preset is unchanged", async () => {
    expect(await findProgram(packed, here.search)).toBeUndefined();
    await here.file("bin/kit", "", 0o644);
    await here.install("agents/node_modules", kitPackage);
    expect(await findProgram(packed, here.search)).toBeUndefined();
    expect(await locate(packed, here.search)).toBe(packed);
  });

  test("of another platform's package is not used", async () => {
    await here.install("agents/node_modules", kitPackage);
    const foreign = kitPreset({ package: { ...kitPackage, bin: { "plan9-mips": "@kit/agent/cli.js" } } });
    await here.file("agents/node_modules/@kit/agent/cli.js");
    expect(await findProgram(foreign, here.search)).toBeUndefined();
  });
});

test("a library is found where Node would find it, and is not started", async () => {
  const { bin: _, ...library } = kitPackage;
  const preset = kitPreset({ package: library });
  await here.file("bin/kit", "", 0o755);
  expect(await findProgram(preset, here.search)).toBeUndefined();
  await here.install("own/node_modules", library);
  const beside = join(here.home, "own/node_modules/@kit/agent");
  expect(await findProgram(preset, here.search)).toMatchObject({ file: beside, version: "1.2.3" });
  await here.install("agents/node_modules", { ...library, version: "1.2.4" });
  expect(await findProgram(preset, here.search)).toMatchObject({ version: "1.2.4" });
  await here.install("agents/@kit/agent/node_modules", { ...library, version: "1.2.5" });
  expect(await findProgram(preset, here.search)).toMatchObject({ version: "1.2.5" });
  expect(await locate(preset, here.search)).toBe(preset);
});
