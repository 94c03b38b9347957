import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Finding, Preset } from "@drover/core";
import type { Home } from "../home.ts";
import { findExecutable } from "../process/executable.ts";
import { fine, note } from "./finding.ts";

/** Where programs are looked for. */
export interface AgentSearch {
  readonly home: Home;
  readonly environment: Readonly<Record<string, string>>;
}

/** What can be told of an agent without speaking with it. */
export interface FoundAgent {
  readonly installed: boolean;
  /** Its program in full when it was found, else as configured. */
  readonly command: string;
  /** The version that `drover agents add` installed, if it did. */
  readonly version?: string;
}

export async function findAgent(preset: Preset, { home, environment }: AgentSearch): Promise<FoundAgent> {
  const program = { command: preset.command, cwd: home.directory, env: environment };
  const added = await addedVersion(preset, home);
  const found = await findExecutable(program).catch(() => undefined);
  return {
    installed: added !== undefined || found !== undefined,
    command: found ?? preset.command,
    ...(added === undefined ? {} : { version: added }),
  };
}

async function addedVersion(preset: Preset, home: Home): Promise<string | undefined> {
  if (!preset.package) return undefined;
  const manifest = join(home.agents, "node_modules", preset.package.name, "package.json");
  const text = await readFile(manifest, "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { version: string }).version;
}

export async function checkAgent(preset: Preset, search: AgentSearch): Promise<Finding> {
  const { agent, name } = preset;
  const { installed, command } = await findAgent(preset, search);
  if (installed) return fine(`agent ${agent}`, command);
  const remedy = preset.package
    ? `\`drover agents add ${agent}\` installs it.`
    : `Install ${name}, or set agents.${agent}.command.`;
  return note(`agent ${agent}`, `${command} is not installed`, remedy);
}
