import { access } from "node:fs/promises";
import { join } from "node:path";
import type { InspectedAgent, Preset } from "@drover/core";
import { findExecutable } from "../process/executable.ts";
import { directoryOf, type ProgramSearch } from "./locate.ts";

/**
 * Whether an agent is logged in, as far as this shows without reading a secret or asking its vendor: `env` is the
 * environment its process would get.
 */
export async function loginOf(
  { login }: Preset,
  env: Readonly<Record<string, string | undefined>>,
): Promise<InspectedAgent["login"]> {
  if (login === undefined) return "unknown";
  if (login === "none" || login.env?.some((name) => env[name])) return "ok";
  const files = (login.files ?? []).flatMap((file) => expand(file, env));
  const found = await Promise.all(files.map(exists));
  if (found.includes(true)) return "ok";
  // Elsewhere logins are kept in a keychain.
  return login.certain && process.platform === "linux" ? "missing" : "unknown";
}

/** How a person logs in, with a command that works here: a program that was added to the home is not on PATH. */
export async function loginRemedy(preset: Preset, search: ProgramSearch): Promise<string | undefined> {
  const { login, package: npm } = preset;
  if (typeof login !== "object") return undefined;
  const [, command] = /`([^`\s]+)/.exec(login.remedy) ?? [];
  if (command === undefined || npm === undefined || (await isOnPath(command, search))) return login.remedy;
  const own = login.program?.[`${process.platform}-${process.arch}`] ?? join(".bin", command);
  const added = join(directoryOf(search.agents, npm), "node_modules", own);
  if (!(await exists(added))) return login.remedy;
  return login.remedy.replace(`\`${command}`, () => `\`${typed(added, search.env["HOME"])}`);
}

const isOnPath = (command: string, { env }: ProgramSearch): Promise<boolean> =>
  findExecutable({ command, cwd: "/", env }).then(
    () => true,
    () => false,
  );

/** A path as people type it into a shell. */
function typed(path: string, home: string | undefined): string {
  if (!/^[\w@%+=:,./-]+$/.test(path)) return `'${path.replaceAll("'", "'\\''")}'`;
  return home && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function expand(file: string, env: Readonly<Record<string, string | undefined>>): string[] {
  const [, variable = "HOME", path = ""] = /^(?:~|\$(\w+))\/(.*)$/.exec(file) ?? [];
  const directory = env[variable];
  return directory ? [join(directory, path)] : [];
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
