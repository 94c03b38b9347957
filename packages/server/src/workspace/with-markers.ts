import { bytesOf } from "../git/checkpoint-scan.ts";
import { openRegular, readAtMost } from "../process/regular-file.ts";

/** Larger files are not searched. */
const maxBytes = 64 * 1024 * 1024;

/** Which of these files have conflict markers; paths are relative to the top, and Latin 1 stands for bytes. */
export async function withMarkers(top: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const opened = await openRegular(bytesOf(top, path), { followLinks: false }).catch(() => undefined);
    if (!opened) continue;
    await using file = opened;
    const content = await readAtMost(file, maxBytes);
    if (content && /^(<{7}|>{7})( |$)/m.test(content.toString("latin1"))) found.push(path);
  }
  return found;
}
