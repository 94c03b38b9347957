import { readlink, realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { hasForbiddenCharacter, ok, type Rejection, type Result, reject } from "@drover/core";
import { openRegular, readAtMost } from "../process/regular-file.ts";
import { contains, resolveInBoundary } from "./boundary.ts";

/** More than a prompt can hold: what does not fit would be left out anyway. */
export const maxInstructionBytes = 1024 * 1024;

export interface InstructionBounds {
  readonly roots: readonly string[];
  /** Drover's own home, which holds the token: no request gets anything out of it. */
  readonly home: string;
}

/** The text of an instruction file that a request names: inside the roots and outside of Drover's home. */
export async function readRequested(
  path: string,
  { roots, home }: InstructionBounds,
): Promise<Result<string, Rejection>> {
  const resolved = await resolveInBoundary(path, roots, "instructionFile");
  if (!resolved.ok) return resolved;
  const realHome = await realpath(home);
  // Not distinguishable from any other file: a hard link.
  if (contains(realHome, resolved.value)) {
    return unreadable(path, "it is inside Drover's own home; keep it elsewhere");
  }
  return read(path, resolved.value);
}

/** The text of an instruction file named in the configuration, wherever it is. */
export async function readConfigured(path: string): Promise<Result<string, Rejection>> {
  if (!isAbsolute(path))
    return unreadable(path, "the path is relative; give the absolute path in drover.yaml");
  const real = await realpath(path).catch(() => path);
  return read(path, real);
}

/** `real` has no links left. */
async function read(path: string, real: string): Promise<Result<string, Rejection>> {
  try {
    await using file = await openRegular(real);
    // A directory on the way may have become a link since the path was resolved. Known on Linux only.
    const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => real);
    if (opened !== real) return unreadable(path, "it changed while it was being opened; try again");
    const bytes = await readAtMost(file, maxInstructionBytes);
    if (!bytes) return unreadable(path, `it has more than ${maxInstructionBytes} bytes; shorten it`);
    const text = bytes.toString("utf8");
    if (hasForbiddenCharacter(text)) return unreadable(path, "it is not a text file");
    return ok(text);
  } catch (error) {
    return unreadable(path, reasonOf(error as NodeJS.ErrnoException));
  }
}

function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return "there is no such file; check the path";
    case "EACCES":
      return "the user Drover runs as may not read it";
    case undefined:
    // A socket.
    case "ENXIO":
      return "it is not a regular file; name a text file";
    default:
      return message;
  }
}

const unreadable = (path: string, reason: string) =>
  reject("INSTRUCTIONS_UNREADABLE", `The instruction file ${path} cannot be used: ${reason}`);
