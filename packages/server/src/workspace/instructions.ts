import { realpath } from "node:fs/promises";
import { type Rejection, type Result, reject } from "@drover/core";
import { readInstructionFile } from "../process/instruction-file.ts";
import { contains, resolveInBoundary } from "./boundary.ts";

export interface InstructionBounds {
  readonly roots: readonly string[];
  /** Drover's own home, which contains the token: no request may read from it. */
  readonly home: string;
}

/** The text of an instruction file that a request names: inside the roots and outside Drover's home. */
export async function readRequested(
  path: string,
  { roots, home }: InstructionBounds,
): Promise<Result<string, Rejection>> {
  const resolved = await resolveInBoundary(path, roots, "instructionFile");
  if (!resolved.ok) return resolved;
  const realHome = await realpath(home);
  // A hard link cannot be distinguished from any other file.
  if (contains(realHome, resolved.value)) {
    return unreadable(path, "it is inside Drover's own home; keep it elsewhere");
  }
  return read(path, resolved.value);
}

/** The text of an instruction file named in the configuration, wherever it is. */
export async function readConfigured(path: string): Promise<Result<string, Rejection>> {
  const real = await realpath(path).catch(() => path);
  return read(path, real);
}

/** `real` contains no links. */
async function read(path: string, real: string): Promise<Result<string, Rejection>> {
  const text = await readInstructionFile(real);
  return text.ok ? text : unreadable(path, text.error);
}

const unreadable = (path: string, reason: string) =>
  reject("INSTRUCTIONS_UNREADABLE", `The instruction file ${path} cannot be used: ${reason}`);
