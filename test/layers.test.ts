import { glob, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedPresets } from "../packages/server/src/drivers/presets.ts";
import { layerFaults, namingFaults } from "./layers/check.ts";
import { importCycles } from "./layers/cycles.ts";
import type { Source } from "./layers/imports.ts";

const root = dirname(import.meta.dirname);

async function readSources(): Promise<Source[]> {
  const sources: Source[] = [];
  for await (const path of glob("packages/*/src/**/*.{ts,tsx,js,mjs}", { cwd: root })) {
    sources.push({ path, text: await readFile(join(root, path), "utf8") });
  }
  return sources;
}

const sources = await readSources();

test("every import is allowed by the table of layers", () => {
  expect(layerFaults(sources)).toEqual([]);
});

test("there are no import cycles, not even of types", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(importCycles(sources)).toEqual([]);
});

describe("the check for import cycles finds", () => {
  const server = "packages/server/src";
  const a = `${server}/api/a.ts`;
  const b = `${server}/api/ws/b.ts`;
  const c = `${server}/api/c.ts`;
  test.for<[string, Record<string, string>, string[]]>([
    [
      "two files",
      { [a]: 'import "./ws/b.ts";', [b]: 'import { x } from "../a.ts";' },
      [`${a} → ${b} → ${a}`],
    ],
    [
      "types alone",
      { [a]: 'import type { B } from "./ws/b.ts";', [b]: 'type A = import("../a.ts").A;' },
      [`${a} → ${b} → ${a}`],
    ],
    [
      "a longer cycle through a re-export and a lazy import",
      { [a]: 'export * from "./ws/b.ts";', [b]: 'await import("../c.ts");', [c]: 'import "./a.ts";' },
      [`${a} → ${b} → ${c} → ${a}`],
    ],
    ["a file that imports itself", { [a]: 'import type { A } from "./a.ts";' }, [`${a} → ${a}`]],
    [
      "none if two paths lead to the same file",
      { [a]: 'import "./ws/b.ts"; import "./c.ts"; import "node:fs";', [b]: 'import "../c.ts";', [c]: "" },
      [],
    ],
  ])("%s", ([, files, found]) => {
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));
    expect(importCycles(sources)).toEqual(found);
  });
});

test("no source names an agent except its preset, its driver's folder and the agent itself", () => {
  const names = shippedPresets("").map(({ agent }) => agent);
  expect(names).toContain("codex");
  expect(namingFaults(sources, names)).toEqual([]);
});

describe("the layer check rejects", () => {
  const server = "packages/server/src";
  test.for<[string, string, string, string]>([
    [
      "an engine that imports an adapter",
      `${server}/engine/owner.ts`,
      'import { open } from "../store/index.ts";',
      "engine may not import store",
    ],
    [
      "a re-export along a forbidden edge",
      `${server}/tools/index.ts`,
      'export * from "../engine/owner.ts";',
      "tools may not import engine",
    ],
    [
      "a lazy import along a forbidden edge",
      `${server}/api/routes.ts`,
      'await import("../drivers/acp/index.ts");',
      "api may not import drivers",
    ],
    [
      "a value where only a type is allowed",
      `${server}/cli/run.ts`,
      'import { type Router } from "../api/router.ts";',
      "cli may import only types of api",
    ],
    [
      "drivers that import each other",
      `${server}/drivers/claude/map.ts`,
      'import { map } from "../acp/map.ts";',
      "drivers/claude may not import drivers/acp",
    ],
    [
      "an impure core",
      "packages/core/src/id.ts",
      'import { randomBytes } from "node:crypto";',
      "core may not import the package node:crypto",
    ],
    [
      "a page that runs server code",
      "packages/web/src/main.tsx",
      'import { start } from "drover";',
      "web may not import main",
    ],
    [
      "a database outside the store",
      `${server}/doctor/home.ts`,
      'import { DatabaseSync } from "node:sqlite";',
      "only store may import the package node:sqlite",
    ],
    [
      "an internal file of the store",
      `${server}/app.ts`,
      'import { migrations } from "./store/schema.ts";',
      "app may import only index.ts of store",
    ],
    [
      "an import that hides its target",
      `${server}/store/open.ts`,
      "await import(name);",
      "its target is known only at run time",
    ],
    [
      "an import from outside the sources",
      `${server}/store/open.ts`,
      'import x from "../../test/x.ts";',
      "belongs to no layer",
    ],
    ["an undeclared folder", `${server}/helpers/misc.ts`, "export {};", "belongs to no layer of the table"],
    [
      "process.env",
      `${server}/engine/owner.ts`,
      "export const home = process.env.HOME;",
      "reads the environment",
    ],
    [
      "env out of process",
      `${server}/api/a.ts`,
      "const { env } = process; export const b = env;",
      "reads the environment",
    ],
    [
      "env of node:process",
      `${server}/api/a.ts`,
      'import { env } from "node:process";',
      "reads the environment",
    ],
  ])("%s", ([, path, text, fault]) => {
    expect(layerFaults([{ path, text }])).toEqual([expect.stringContaining(fault)]);
  });

  test("an empty set of sources", () => {
    expect(layerFaults([])).toEqual(["no sources were found"]);
  });
});

test("the layer check accepts what the table allows", () => {
  const allowed = [
    {
      path: "packages/server/src/cli/run.ts",
      text: 'import type { Router } from "../api/router.ts"; import "commander";',
    },
    {
      path: "packages/server/src/drivers/acp/a.ts",
      text: 'import { b } from "./b.ts"; import { c } from "../c.ts";',
    },
    { path: "packages/server/src/config.ts", text: "export const port = process.env.PORT;" },
    { path: "packages/core/src/a.ts", text: 'import { z } from "zod"; type A = import("./b.ts").B;' },
    {
      path: "packages/web/src/a.tsx",
      text: 'import { evolve } from "@drover/core"; export const a = <b>process.env</b>;',
    },
  ];
  expect(layerFaults(allowed)).toEqual([]);
});

test("a source that decides by an agent's name is found", () => {
  const source = (path: string, text: string) => ({ path, text });
  const engine = "packages/server/src/engine/a.ts";
  const found = (text: string) => namingFaults([source(engine, text)], ["codex", "qwen-acp"]);
  expect(found('if (agent === "codex") wait();')).toEqual([`${engine}: names codex`]);
  expect(found("switch (a) { case 'qwen-acp': break; }")).toEqual([`${engine}: names qwen-acp`]);
  expect(found("const command = `codex`;")).toEqual([`${engine}: names codex`]);
  expect(found("// codex does so\nconst codexLike = agent;")).toEqual([]);
  const own = "packages/server/src/drivers/jsonl/map-codex.ts";
  expect(namingFaults([source(own, 'const name = "codex";')], ["codex"])).toEqual([]);
  const shared = "packages/server/src/drivers/output.ts";
  expect(namingFaults([source(shared, 'const name = "codex";')], ["codex"])).toEqual([
    `${shared}: names codex`,
  ]);
});
