import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Preset } from "@drover/core";
import { afterEach, beforeEach } from "vitest";
import { type TempDir, tempDir } from "../../../../test/kit/temp.ts";
import { type Config, type ConfigQuestion, loadConfig } from "../../src/config.ts";

export const demo: Preset = {
  agent: "demo",
  name: "Demo",
  driver: "acp",
  command: "node",
  args: ["demo.js"],
  env: {},
  passEnv: [],
};

let dir: TempDir;
beforeEach(async () => {
  dir = await tempDir();
});
afterEach(() => dir.remove());

/** The home of the current test. */
export const place = {
  get path(): string {
    return dir.path;
  },
};

export async function load(yaml: string | undefined, question: ConfigQuestion = {}) {
  if (yaml !== undefined) await writeFile(join(dir.path, "drover.yaml"), yaml);
  return loadConfig({ shipped: [demo], ...question, env: { DROVER_HOME: dir.path, ...question.env } });
}

export async function loaded(yaml: string | undefined, question: ConfigQuestion = {}): Promise<Config> {
  const result = await load(yaml, question);
  if (!result.ok) throw new Error(result.error.map(({ message }) => message).join("\n"));
  return result.value;
}

/** The messages for an invalid configuration, without the home's path. */
export async function complaints(yaml: string | undefined, question: ConfigQuestion = {}): Promise<string[]> {
  const result = await load(yaml, question);
  return result.ok ? [] : result.error.map(({ message }) => message.replace(`${dir.path}/`, ""));
}
