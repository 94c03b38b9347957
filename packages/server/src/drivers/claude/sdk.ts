import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Fault } from "@drover/core";
import { findExecutable, SpawnError } from "../../process/executable.ts";
import type { ClaudeSdk } from "./sdk-types.ts";

/** An installed SDK. */
export interface InstalledSdk {
  readonly sdk: ClaudeSdk;
  /** Resolves names the way the SDK does: its native program is a package beside it. */
  readonly resolve: (name: string) => string;
}

const SDK = "@anthropic-ai/claude-agent-sdk";

/**
 * The SDK from the first of these directories that has it. Loaded with the first agent: it takes 200 ms and 30 MB.
 * Loaded with `require`, which in Node 24 also loads ES modules, because an import would only look beside this file.
 */
export function loadSdk(directories: readonly string[], name: string): InstalledSdk {
  for (const directory of directories) {
    const entry = locate(directory);
    if (entry === undefined) continue;
    const require = createRequire(entry);
    return { sdk: require(entry) as ClaudeSdk, resolve: (wanted) => require.resolve(wanted) };
  }
  throw agentMissing(name);
}

/** The location and version of the SDK, without loading it. */
export function findSdk(directories: readonly string[]): { file: string; version: string } | undefined {
  for (const directory of directories) {
    const file = locate(directory);
    if (file === undefined) continue;
    const manifest: { version?: string } = JSON.parse(
      readFileSync(join(dirname(file), "package.json"), "utf8"),
    );
    return { file, version: manifest.version ?? "unknown" };
  }
  return undefined;
}

export const agentMissing = (name: string, facts: Record<string, unknown> = {}): Fault =>
  new Fault("AGENT_MISSING", `Could not start ${name}. Check that it's installed.`, {
    facts: { remedy: "drover agents add claude", ...facts },
  });

/** An added package has its own directory below the shared one; Node also searches the shared one from there. */
function locate(directory: string): string | undefined {
  try {
    return createRequire(join(directory, SDK, "here.js")).resolve(SDK);
  } catch {
    return undefined;
  }
}

export interface CliSearch {
  readonly resolve: InstalledSdk["resolve"];
  /** A person's explicit path if it has a slash; otherwise a name to look up on the PATH of `env`. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The program to run: the SDK's own bundle, else the one on PATH, else undefined, which lets the SDK decide. */
export async function resolveClaudeCliPath(search: CliSearch): Promise<string | undefined> {
  const { command, cwd, env } = search;
  if (command.includes("/")) return command;
  const bundled = bundledCli(search.resolve);
  if (bundled !== undefined) return bundled;
  try {
    return await findExecutable({ command, cwd, env });
  } catch (error) {
    // A missing directory is reported when the process is started in it.
    if (error instanceof SpawnError) return undefined;
    throw error;
  }
}

/** npm installs the one package that fits this machine. */
function bundledCli(resolve: InstalledSdk["resolve"]): string | undefined {
  const platform = `${SDK}-${process.platform}-${process.arch}`;
  for (const name of [platform, `${platform}-musl`]) {
    try {
      const file = resolve(`${name}/claude`);
      if (existsSync(file)) return file;
    } catch {
      // Not installed.
    }
  }
  return undefined;
}
