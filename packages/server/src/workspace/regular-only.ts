import type { Stats } from "node:fs";

/** Why a file that an agent left is not read; completes a sentence about it. Undefined for a regular file. */
export function whyUnread(found: Stats): string | undefined {
  if (found.isFile()) return undefined;
  if (found.isSymbolicLink()) return "is a link; Drover reads regular files only";
  if (found.isDirectory()) return "is a directory; Drover reads regular files only";
  return "is no regular file; Drover reads nothing else";
}
