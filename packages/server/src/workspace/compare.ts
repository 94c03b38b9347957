import type { ChangedFile, ChangeStatus } from "@drover/core";
import type { Repository } from "../git/repository.ts";
import type { GitCommand } from "../git/run-git.ts";

/** Quoted names keep a diff free of bytes that are not UTF-8. */
export const DIFF_SETTINGS = ["-c", "core.quotePath=true", "-c", "diff.suppressBlankEmpty=false"] as const;

/** How two states are compared, regardless of the user's or the repository's settings. */
export const DIFF_ARGS = [
  "diff",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--find-renames",
  // To look into a submodule, git would run in it with the submodule's own settings.
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "-O/dev/null",
  "--relative",
] as const;

/** Turns a comparison into a patch; with `--unified`, even a list of files is followed by its whole patch. */
export const PATCH_ARGS = ["--unified=3", "--inter-hunk-context=0"] as const;

/** A comparison with the last commit, of these paths or of everything. Paths are bytes in Latin 1. */
export function diffCommand(
  { base }: Pick<Repository, "base">,
  { how, paths }: { how: readonly string[]; paths: readonly string[] },
): GitCommand {
  return {
    args: [...DIFF_SETTINGS, ...DIFF_ARGS, ...how, base],
    paths: paths.map((path) => Buffer.from(path, "latin1")),
  };
}

const statuses: Readonly<Record<string, ChangeStatus>> = {
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  U: "conflicted",
};

/**
 * Reads `--raw --numstat -z`: first `:MODES HASHES STATUS` and its path or two, then `ADDED\tREMOVED\tPATH`, where the
 * two paths of a rename follow an empty one. Binary files have `-` for both numbers.
 */
export function parseChanges(output: string): ChangedFile[] {
  const tokens = output.split("\0");
  const files = new Map<string, ChangedFile>();
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at++] ?? "";
    if (token === "") continue;
    if (token.startsWith(":")) {
      const letter = token.split(" ").at(-1)?.[0] ?? "";
      const from = letter === "R" || letter === "C" ? tokens[at++] : undefined;
      const path = tokens[at++] ?? "";
      const status = statuses[letter] ?? "modified";
      files.set(path, { path, ...(from === undefined ? {} : { from }), status, added: 0, removed: 0 });
      continue;
    }
    const [added, removed, ...rest] = token.split("\t");
    const inline = rest.join("\t");
    const path = inline === "" ? (tokens[at + 1] ?? "") : inline;
    if (inline === "") at += 2;
    const file = files.get(path);
    if (!file) continue;
    const isBinary = added === "-";
    files.set(path, {
      ...file,
      added: isBinary ? 0 : Number(added),
      removed: isBinary ? 0 : Number(removed),
      ...(isBinary ? { binary: true } : {}),
    });
  }
  return [...files.values()];
}
