import { access, constants, readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentPackage, Preset } from "@drover/core";
import { findExecutable } from "../process/executable.ts";

/** Where agents' programs are looked for. */
export interface ProgramSearch {
  /** What `drover agents add` installed. */
  readonly agents: string;
  /** Drover's own directory: a library may lie beside it. */
  readonly own: string;
  /** Its PATH is searched. */
  readonly env: Readonly<Record<string, string>>;
}

/** An agent's program on this machine, and how it is started. */
export interface Program {
  readonly command: string;
  /** What comes before the preset's arguments. */
  readonly args: readonly string[];
  /** The file that makes it what it is: a script rather than what runs it. */
  readonly file: string;
  readonly version?: string;
}

/**
 * The agent's program: the one that was added to the home, else the one on PATH. Where npm's own entry on PATH merely
 * starts another program of its package, that one is taken, so that ending it ends the agent.
 */
export async function findProgram(preset: Preset, search: ProgramSearch): Promise<Program | undefined> {
  const { package: npm } = preset;
  if (npm && !npm.bin) return findLibrary(npm, search);
  const added = npm && (await programOf(npm, join(search.agents, "node_modules")));
  return added ?? findOnPath(preset, search.env);
}

/** The preset as it is started here; unchanged where no program was found, which starting it will tell. */
export async function locate(preset: Preset, search: ProgramSearch): Promise<Preset> {
  const found = preset.package?.bin ? await findProgram(preset, search) : undefined;
  return found ? { ...preset, command: found.command, args: [...found.args, ...preset.args] } : preset;
}

/** A library is found as Node would find it: in the directory or one above it. */
async function findLibrary({ name }: AgentPackage, search: ProgramSearch): Promise<Program | undefined> {
  for (const start of [search.agents, search.own]) {
    for (let directory = start; ; directory = dirname(directory)) {
      const file = join(directory, "node_modules", name);
      const version = await versionOf(file, name);
      if (version !== undefined) return { command: file, args: [], file, version };
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
  const program = modules ? await programOf(npm, modules) : undefined;
  return program ?? { command: file, args: [], file };
}

/** The `node_modules` from which npm linked this file, if it did and it is of that package. */
async function modulesAround(file: string, name: string): Promise<string | undefined> {
  const target = await realpath(file).catch(() => file);
  const [modules] = target.split(join("/node_modules", name, "/"));
  return modules === undefined || modules === target ? undefined : join(modules, "node_modules");
}

async function programOf(npm: AgentPackage, modules: string): Promise<Program | undefined> {
  const path = typeof npm.bin === "string" ? npm.bin : npm.bin?.[`${process.platform}-${process.arch}`];
  const version = await versionOf(join(modules, npm.name), npm.name);
  if (path === undefined || version === undefined) return undefined;
  // npm puts what only this package needs below it, or beside it.
  for (const file of [join(modules, npm.name, "node_modules", path), join(modules, path)]) {
    // A script is run by the Node that runs Drover: the one on PATH may be too old for it.
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

async function versionOf(directory: string, name: string): Promise<string | undefined> {
  const text = await readFile(join(directory, "package.json"), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const manifest = JSON.parse(text) as { name?: string; version?: string };
  return manifest.name === name ? manifest.version : undefined;
}
