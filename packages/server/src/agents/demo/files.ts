import { constants, ftruncateSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { type Opened, openBeneath, type Place, Refused } from "./beneath.ts";

const { O_CREAT, O_RDONLY, O_WRONLY } = constants;

/** How much of a file is shown, in bytes. */
const shownMax = 64 * 1024;
const entriesMax = 200;

export interface Excerpt {
  readonly text: string;
  readonly truncated: boolean;
}

/** The beginning of a file, or the names in a directory. Throws like `openBeneath`. */
export function look(place: Place): Excerpt {
  using opened = openBeneath(place, { flags: O_RDONLY });
  return opened.stats.isDirectory() ? listing(opened) : beginning(opened);
}

/** The beginning of the file that a write would replace. Throws like `openBeneath`. */
export function readBeginning(place: Place): Excerpt {
  using opened = openBeneath(place, { flags: O_RDONLY });
  if (opened.stats.isDirectory()) throw new Refused(`${place.path} is a directory`);
  return beginning(opened);
}

/** Writes a complete file, creating its directories. Throws like `openBeneath`. */
export function writeWhole(place: Place, text: string): void {
  using opened = openBeneath(place, { flags: O_WRONLY | O_CREAT, makeDirectories: 0o777 });
  ftruncateSync(opened.fd);
  writeFileSync(opened.fd, text);
}

function beginning({ fd, stats }: Opened): Excerpt {
  const buffer = Buffer.alloc(Math.min(stats.size, shownMax));
  const length = readSync(fd, buffer, 0, buffer.length, 0);
  return { text: buffer.toString("utf8", 0, length), truncated: stats.size > length };
}

function listing({ path }: Opened): Excerpt {
  const entries = readdirSync(path, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  return { text: names.slice(0, entriesMax).join("\n"), truncated: names.length > entriesMax };
}
