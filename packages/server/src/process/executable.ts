import { access, constants, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { searchPath } from "@drover/core";

export type SpawnErrorCode = "MISSING_EXECUTABLE" | "MISSING_CWD" | "NOT_EXECUTABLE" | "OTHER";

/** Why a program could not be started. Nothing of it runs and nothing is left behind. */
export class SpawnError extends Error {
  override readonly name = "SpawnError";
  readonly code: SpawnErrorCode;

  constructor(code: SpawnErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export interface Program {
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The file that `command` names: relative to `cwd` if it has a slash, otherwise looked up in the absolute entries of
 * the PATH of `env`. Node reports a missing directory and a missing program alike, as ENOENT of the program; here they
 * are two errors. Throws `SpawnError`.
 */
export async function findExecutable({ command, cwd, env }: Program): Promise<string> {
  await checkDirectory(cwd);
  const directories = command.includes("/") ? [cwd] : searchPath(env["PATH"]).split(":");
  let refusal: SpawnError | undefined;
  for (const directory of directories) {
    const file = resolve(cwd, directory, command);
    const found = await checkProgram(file);
    if (found === true) return file;
    refusal ??= found;
  }
  throw refusal ?? new SpawnError("MISSING_EXECUTABLE", `${command} was not found`);
}

async function checkDirectory(cwd: string): Promise<void> {
  try {
    // The trailing slash makes it fail for a file.
    await access(`${cwd}/`, constants.X_OK);
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) {
      throw new SpawnError("MISSING_CWD", `The working directory ${cwd} does not exist`, error);
    }
    throw new SpawnError("OTHER", `The working directory ${cwd} cannot be used: ${String(error)}`, error);
  }
}

/** true: can be run; an error: exists but cannot be run; undefined: does not exist. */
export async function checkProgram(file: string): Promise<true | SpawnError | undefined> {
  try {
    if ((await stat(file)).isDirectory()) {
      return new SpawnError("NOT_EXECUTABLE", `${file} is a directory, not a program`);
    }
    await access(file, constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, "EACCES")) {
      return new SpawnError("NOT_EXECUTABLE", `${file} cannot be executed by this user`, error);
    }
    return undefined;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
