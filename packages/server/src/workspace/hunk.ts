/** What a file's header says besides its content: where it was, and its mode. */
const BESIDES =
  /^(diff --git|index|(dis)?similarity index|rename (from|to)|copy (from|to)|(old|new) mode)( |$)/;
const MOVED = /^(rename (from|to)|copy (from|to)|(old|new) mode) /;

/** A hunk without what else its file's header says: to discard a hunk of a renamed file doesn't rename it back. */
export function onlyHunk(patch: string): string {
  const start = patch.search(/^@@ /m);
  if (start < 0) return patch;
  const header = patch.slice(0, start).split("\n");
  if (!header.some((line) => MOVED.test(line))) return patch;
  const now = header.find((line) => line.startsWith("+++ "));
  if (now === undefined) return patch;
  const before = now.replace(/^\+\+\+ ("?)b\//, "--- $1a/");
  const kept = header.filter((line) => !BESIDES.test(line) && !/^(---|\+\+\+) /.test(line) && line !== "");
  return [...kept, before, now, patch.slice(start)].join("\n");
}
