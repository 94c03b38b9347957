import { opendir } from "node:fs/promises";
import { join } from "node:path";
import { hasControl } from "./typed-names.ts";

/** A directory listing that stops at its limits. */
export interface Walked {
  readonly paths: readonly string[];
  readonly isComplete: boolean;
}

interface Bounds {
  readonly files: number;
  readonly signal: AbortSignal;
}

/** Large, and not part of anyone's work. */
const skipped = new Set(["node_modules", "__pycache__", "venv", "target"]);

/** The files below a directory, nearest first. Follows no links and skips hidden directories. */
export async function walk(top: string, { files, signal }: Bounds): Promise<Walked> {
  const paths: string[] = [];
  const waiting = [""];
  /** Empty directories count too, so that a tree of only directories also ends. */
  let seen = 0;
  for (let prefix = waiting.shift(); prefix !== undefined; prefix = waiting.shift()) {
    const directory = await opendir(join(top, prefix)).catch(() => undefined);
    if (!directory) continue;
    for await (const entry of directory) {
      if (++seen > files || signal.aborted) return { paths, isComplete: false };
      // Node replaces bytes that are not UTF-8, so such a name does not exist.
      if (hasControl(entry.name) || entry.name.includes("\ufffd")) continue;
      if (entry.isFile()) paths.push(prefix + entry.name);
      const isWanted = !entry.name.startsWith(".") && !skipped.has(entry.name);
      if (entry.isDirectory() && isWanted) waiting.push(`${prefix}${entry.name}/`);
    }
  }
  return { paths, isComplete: true };
}
