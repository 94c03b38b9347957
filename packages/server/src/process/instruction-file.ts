import { readlink } from "node:fs/promises";
import { err, hasForbiddenCharacter, ok, type Result } from "@drover/core";
import { openRegular, readAtMost } from "./regular-file.ts";

/** More than a prompt can hold: anything beyond would be left out anyway. */
export const maxInstructionBytes = 1024 * 1024;

/** The text of an instruction file, or why it cannot be used. `path` has all links resolved. */
export async function readInstructionFile(path: string): Promise<Result<string, string>> {
  try {
    await using file = await openRegular(path);
    // A directory on the way may have become a link since the path was resolved. Detected on Linux only.
    const opened = await readlink(`/proc/self/fd/${file.fd}`).catch(() => path);
    if (opened !== path) return err("it changed while it was being opened; try again");
    const bytes = await readAtMost(file, maxInstructionBytes);
    if (!bytes) return err(`it has more than ${maxInstructionBytes} bytes; shorten it`);
    const text = bytes.toString("utf8");
    return hasForbiddenCharacter(text) ? err("it is not a text file") : ok(text);
  } catch (error) {
    return err(reasonOf(error as NodeJS.ErrnoException));
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
