import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Larger than the index of the largest repositories. */
const MAX_SIZE = 512 * 1024 * 1024;

export interface RegularFile {
  readonly content: Buffer;
  readonly mtimeMs: number;
}

/**
 * A file of a repository, undefined if it does not exist. Throws for a FIFO or a device, which could block or never
 * end.
 */
export async function readRegular(path: string, maxSize = MAX_SIZE): Promise<RegularFile | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const found = await file.stat();
    if (!found.isFile()) throw new Error(`${path} is not a regular file`);
    if (found.size > maxSize) throw new Error(`${path} is too large`);
    return { content: await file.readFile(), mtimeMs: found.mtimeMs };
  } finally {
    await file.close();
  }
}
