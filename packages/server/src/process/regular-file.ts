import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Opening a FIFO for reading waits for a writer, which may never come, and would block one of libuv's few threads. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;

/** Opens a file whose path others control. Rejects for a directory, device, FIFO or socket; on request, for a link. */
export async function openRegular(
  path: string | Buffer,
  { followLinks = true }: { followLinks?: boolean } = {},
): Promise<FileHandle> {
  const file = await open(path, followLinks ? FLAGS : FLAGS | constants.O_NOFOLLOW);
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw notRegular(path);
}

/** `openRegular` for a caller that needs the descriptor synchronously. */
export function openRegularSync(path: string): number {
  const descriptor = openSync(path, FLAGS);
  if (fstatSync(descriptor).isFile()) return descriptor;
  closeSync(descriptor);
  throw notRegular(path);
}

/** The contents of an open file; undefined if it has more than `maxBytes`. */
export async function readAtMost(file: FileHandle, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Read instead of checking the size: a file may grow, and those of /proc report a size of 0.
  for await (const chunk of file.createReadStream({ end: maxBytes, autoClose: false })) {
    chunks.push(chunk);
    size += chunk.length;
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks);
}

/** The text of a file whose path others control; rejects if there is none or it has more than `maxBytes`. */
export async function readRegular(path: string, maxBytes: number): Promise<string> {
  await using file = await openRegular(path);
  const bytes = await readAtMost(file, maxBytes);
  if (bytes === undefined) throw new Error(`${path} has more than ${maxBytes} bytes`);
  return bytes.toString("utf8");
}

const notRegular = (path: string | Buffer) => new Error(`${path} is not a regular file`);
