import { existsSync } from "node:fs";
import { readdir, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Finding } from "@drover/core";
import type { Home } from "../home.ts";
import { diskUsage } from "./disk.ts";
import { broken, fine, note } from "./finding.ts";
import { bytes } from "./words.ts";

/** Below the reserve the server accepts nothing new: what was acknowledged must still fit. */
export async function checkSpace({ directory }: Home, minFree: number): Promise<Finding> {
  const there = existsSync(directory) ? directory : dirname(directory);
  const { bavail, bsize } = await statfs(there);
  const free = bavail * bsize;
  if (free >= minFree) return fine("disk", `${bytes(free)} free`);
  return broken(
    "disk",
    `${bytes(free)} free, less than storage.minFree (${bytes(minFree)}): nothing new is stored`,
    "Free some space; `drover prune` frees the logs of deleted sessions.",
  );
}

/** What takes the space, with the largest sessions by the name of their directory. */
export async function checkUsage(home: Home): Promise<Finding[]> {
  const ids = await readdir(home.sessions).catch(() => []);
  const sessions: { id: string; size: number }[] = [];
  for (const id of ids) sessions.push({ id, size: await diskUsage(home.sessionDirectory(id)) });
  const sum = sessions.reduce((total, { size }) => total + size, 0);
  const database = (await diskUsage(home.database)) + (await diskUsage(`${home.database}-wal`));
  const parts = [
    `raw logs of ${sessions.length} sessions ${bytes(sum)}`,
    `database ${bytes(database)}`,
    `server log ${bytes(await diskUsage(home.serverLog))}`,
    `installed agents ${bytes(await diskUsage(home.agents))}`,
  ];
  const largest = sessions
    .filter(({ size }) => size >= 1024 ** 2)
    .sort((a, b) => b.size - a.size)
    .slice(0, 5)
    .map(({ id, size }) => note("usage", `${id}: ${bytes(size)}`));
  return [fine("usage", parts.join(", ")), ...largest];
}
