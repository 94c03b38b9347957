import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of a file, or of everything below a directory; files that vanish in the meantime count as nothing. */
export async function diskUsage(path: string): Promise<number> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) return 0;
  if (!found.isDirectory()) return found.isFile() ? found.size : 0;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await diskUsage(join(path, name));
  return sum;
}
