import { access, constants, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentPackage, Preset } from "@drover/core";
import { findExecutable } from "../process/executable.ts";
import { readRegular } from "../process/regular-file.ts";

/** Where agents' programs are searched. */
export interface ProgramSearch {
  /** The programs installed by `drover agents add`. */
  readonly agents: string;
  /** Drover's own directory: a library may lie beside it. */
  readonly own: string;
  /** Its PATH is searched. */
  readonly env: Readonly<Record<string, string>>;
}

/** An agent's program on this machine, and how it is started. */
export interface Program {
  readonly command: string;
  /** Arguments before the preset's. */
  readonly args: readonly string[];
  /** The file that identifies it: a script rather than its interpreter. */
  readonly file: string;
  readonly version?: string;
}

/**
 * The agent's program: the one added to the home, else the one on PATH. If npm's entry on PATH merely starts another
 * program of its package, that one is used, so that ending it ends the agent.
 */
export async function findProgram(preset: Preset, search: ProgramSearch): Promise<Program | undefined> {
  const { package: npm } = preset;
  if (npm && !npm.bin) return findLibrary(npm, search);
  const added = npm && (await findAdded(npm, search.agents));
  return added ?? findOnPath(preset, search.env);
}

/** Where a package is added: a separate directory, so that it is complete and affects no other. */
export const directoryOf = (agents: string, { name }: Pick<AgentPackage, "name">): string =>
  join(agents, name);

/** A package that a person installed with npm into the agents directory is found too. */
async function findAdded(npm: AgentPackage, agents: string): Promise<Program | undefined> {
  const own = await packageIn(join(directoryOf(agents, npm), "node_modules"), npm);
  return own ?? packageIn(join(agents, "node_modules"), npm);
}

/** The preset as it is started here; unchanged if no program was found, which the start will report. */
export async function locate(preset: Preset, search: ProgramSearch): Promise<Preset> {
  const found = preset.package?.bin ? await findProgram(preset, search) : undefined;
  return found ? { ...preset, command: found.command, args: [...found.args, ...preset.args] } : preset;
}

/** A library is found the way Node does it: in the directory or one above it. */
async function findLibrary(npm: AgentPackage, search: ProgramSearch): Promise<Program | undefined> {
  for (const start of [directoryOf(search.agents, npm), search.own]) {
    for (let directory = start; ; directory = dirname(directory)) {
      const found = await packageIn(join(directory, "node_modules"), npm);
      if (found) return found;
      if (directory === dirname(directory)) break;
    }
  }
  return undefined;
}

async function findOnPath(preset: Preset, env: ProgramSearch["env"]): Promise<Program | undefined> {
  const file = await findExecutable({ command: preset.command, cwd: "/", env }).catch(() => undefined);
  if (file === undefined) return undefined;
  const { package: npm } = preset;
  const modules = npm && (await modulesAround(file, npm.name));
  const program = modules ? await packageIn(modules, npm) : undefined;
  return program ?? { command: file, args: [], file };
}

/** The `node_modules` from which npm linked this file, if it did and the file is of that package. */
async function modulesAround(file: string, name: string): Promise<string | undefined> {
  const target = await realpath(file).catch(() => file);
  const [modules] = target.split(join("/node_modules", name, "/"));
  return modules === undefined || modules === target ? undefined : join(modules, "node_modules");
}

/** What npm installed of a package: its program for this machine, or the package itself if it is a library. */
export async function packageIn(modules: string, npm: AgentPackage): Promise<Program | undefined> {
  const directory = join(modules, npm.name);
  const version = await versionOf(directory, npm.name);
  if (version === undefined) return undefined;
  if (npm.bin === undefined) return { command: directory, args: [], file: directory, version };
  const path = typeof npm.bin === "string" ? npm.bin : npm.bin[`${process.platform}-${process.arch}`];
  if (path === undefined) return undefined;
  // npm puts dependencies of this package below it, or beside it.
  for (const file of [join(directory, "node_modules", path), join(modules, path)]) {
    // A script is run by Drover's own Node: the one on PATH may be too old for it.
    if (/\.[cm]?js$/.test(file)) {
      if (await can(file, constants.R_OK)) return { command: process.execPath, args: [file], file, version };
    } else if (await can(file, constants.X_OK)) return { command: file, args: [], file, version };
  }
  return undefined;
}

const can = (file: string, mode: number): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

const MAX_MANIFEST = 1024 * 1024;

/** Undefined if the package is missing, or incomplete, as while npm is working on it. */
async function versionOf(directory: string, name: string): Promise<string | undefined> {
  try {
    const text = await readRegular(join(directory, "package.json"), MAX_MANIFEST);
    const found = (JSON.parse(text) ?? {}) as { readonly name?: unknown; readonly version?: unknown };
    return found.name === name && typeof found.version === "string" ? found.version : undefined;
  } catch {
    return undefined;
  }
}
