import { createHash, randomUUID } from "node:crypto";
import { cp, lstat, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Attachments } from "../ports.ts";
import { openRegular, readAtMost } from "./regular-file.ts";

/** Larger than any file that is accepted. */
const maxBytes = 64 * 1024 * 1024;

/** Attachments as files named by their content, beside the raw logs of their session. */
export function storedAttachments(sessionDirectory: (sessionId: string) => string): Attachments {
  const directoryOf = (sessionId: string) => join(sessionDirectory(sessionId), "attachments");
  return {
    async save(sessionId, bytes) {
      const id = createHash("sha256").update(bytes).digest("hex");
      await writeDurably(join(directoryOf(sessionId), id), bytes);
      return id;
    },
    async read(sessionId, id) {
      if (!/^[0-9a-f]{64}$/.test(id)) return undefined;
      const path = join(directoryOf(sessionId), id);
      // Whatever else has its name by now is not what was attached.
      await using file = await openRegular(path, { followLinks: false }).catch(unlessReplaced);
      return file && (await readAtMost(file, maxBytes));
    },
    async share(from, to) {
      await cp(directoryOf(from), directoryOf(to), { recursive: true, filter: isOrdinary }).catch(
        unlessMissing,
      );
    },
  };
}

async function isOrdinary(path: string): Promise<boolean> {
  const found = await lstat(path);
  return found.isFile() || found.isDirectory();
}

/** The name appears only once the content is on disk. */
async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const partial = `${path}.${randomUUID()}`;
  try {
    await using file = await open(partial, "wx", 0o600);
    await file.writeFile(bytes);
    await file.sync();
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  await using directory = await open(dirname(path), "r");
  await directory.sync();
}

function unlessReplaced(error: NodeJS.ErrnoException): undefined {
  if (error.code !== undefined && !["ENOENT", "ENOTDIR", "ELOOP", "ENXIO"].includes(error.code)) throw error;
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
