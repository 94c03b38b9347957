// What the tests of installing share: a registry with an agent's packages, and npm or a stand-in for it.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AgentPackage, Preset } from "@drover/core";
import { beforeEach } from "vitest";
import { findProgram } from "../../src/programs/locate.ts";
import { openRegistry, type Registry } from "./registry.ts";
import { kitPreset, machine } from "./support.ts";

/** A machine with this test's registry. */
export const here = machine();
export const agents = () => here.search.agents;
export const helper = { name: "kit-helper", version: "1.0.0" };

export let registry: Registry;
export let helperIntegrity: string;
beforeEach(async () => {
  registry = await openRegistry(here.home);
  helperIntegrity = await registry.publish(helper, "helper");
});

/** Each version of Drover has the lockfile of one version of the agent. */
export const ownOf = (version: string) => join(here.home, `drover-${version}`);

/** Real npm, with this test's registry. */
export const install = (version: string) => ({
  agents: agents(),
  own: ownOf(version),
  env: {
    PATH: process.env["PATH"] ?? "",
    HOME: here.home,
    npm_config_registry: registry.url,
    npm_config_fetch_retries: "0",
  },
});

/** An agent's package and its dependencies, published and locked. */
export async function authored(version: string, about: Partial<AgentPackage> = {}): Promise<Preset> {
  const name = about.name ?? "@kit/agent";
  const scripts = { postinstall: `touch ${JSON.stringify(join(here.home, "ran-a-script"))}` };
  const manifest = { name, version, scripts, dependencies: { "kit-helper": "^1.0.0" } };
  await registry.publish(manifest);
  await registry.lock(ownOf(version), manifest, helper);
  return kitPreset({ package: { name, version, bin: `${name}/cli.js`, ...about } });
}

/** A program called npm, the only one on PATH. */
export async function standIn(text: string) {
  const file = await here.file("bin/npm.cjs", text);
  await here.file("bin/npm", `#!/bin/sh\nexec "${process.execPath}" "${file}" "$@"\n`, 0o755);
  return { agents: agents(), own: ownOf("1.0.0"), env: { PATH: join(here.home, "bin"), HOME: here.home } };
}

/** The installed version. */
export const version = async (preset: Preset) => (await findProgram(preset, here.search))?.version;
/** The leftovers of installations. */
export const leftovers = async () => (await readdir(agents())).filter((name) => name.startsWith("."));
