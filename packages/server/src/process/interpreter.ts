import { type FileHandle, open } from "node:fs/promises";
import { resolve } from "node:path";
import { checkProgram, SpawnError } from "./executable.ts";

/** More than the kernel reads of a script's first line (256 bytes on Linux, 512 on macOS). */
const HEAD = 4096;
/** How many interpreters may be scripts themselves; the same limit as the kernel's. */
const MAX_DEPTH = 5;

/**
 * Checks what the kernel loads to run `file`: a script's interpreter, a program's dynamic loader. Exec reports a
 * missing one as if the program itself were missing, and the shell in between would turn it into an exit code. Throws
 * `SpawnError`.
 */
export async function checkInterpreter(file: string, cwd: string, depth = 1): Promise<void> {
  const named = await interpreterOf(file);
  if (named === undefined || depth > MAX_DEPTH) return;
  const interpreter = resolve(cwd, named);
  if ((await checkProgram(interpreter)) !== true) {
    throw new SpawnError("NOT_EXECUTABLE", `${file} cannot be run: its interpreter is missing`);
  }
  await checkInterpreter(interpreter, cwd, depth + 1);
}

async function interpreterOf(file: string): Promise<string | undefined> {
  // A program may be executable but not readable.
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return undefined;
  await using program = handle;
  const head = await readAt(program, 0, HEAD);
  if (head.toString("latin1", 0, 2) === "#!") {
    return /^#![ \t]*([^ \t\n]+)/.exec(head.toString("utf8"))?.[1];
  }
  return loaderOf(program, head);
}

/** elf(5), 64-bit, little-endian, like every machine Drover runs on: the path in the segment PT_INTERP. */
async function loaderOf(program: FileHandle, head: Buffer): Promise<string | undefined> {
  if (head.toString("latin1", 0, 6) !== "\x7fELF\x02\x01") return undefined;
  const headers = Number(head.readBigUInt64LE(32));
  const size = head.readUInt16LE(54);
  const count = head.readUInt16LE(56);
  for (let at = headers; at < headers + size * count && at + size <= head.length; at += size) {
    if (head.readUInt32LE(at) !== 3) continue;
    const path = await readAt(program, Number(head.readBigUInt64LE(at + 8)), 256);
    return path.toString("utf8", 0, path.indexOf(0));
  }
  return undefined;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
