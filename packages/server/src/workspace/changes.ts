import type { ChangedFile, ChangeStatus } from "@drover/core";
import { runGit } from "../git/run-git.ts";
import { outputOf, type Repository } from "./repository.ts";

/** How two states are compared, whatever the settings of the person or of the repository say. */
const DIFF_ARGS = [
  "diff",
  "--no-color",
  "--no-ext-diff",
  "--no-textconv",
  "--find-renames",
  // Looking into a submodule would start a git of its own there, with filters nobody turned off.
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--unified=3",
  "--inter-hunk-context=0",
  "-O/dev/null",
  "--relative",
] as const;

/** The arguments of a comparison with the last commit, of these paths or of everything. */
export function diffArgs(
  { options, base }: Repository,
  { how, paths }: { how: readonly string[]; paths: readonly string[] },
): string[] {
  const settings = ["-c", "core.quotePath=false", "-c", "diff.suppressBlankEmpty=false"];
  return ["--literal-pathspecs", ...settings, ...options, ...DIFF_ARGS, ...how, base, "--", ...paths];
}

/** Every file below the directory that is not as the last commit has it, by path. */
export async function listChanges(repository: Repository): Promise<ChangedFile[]> {
  const how = ["--raw", "--numstat", "-z"];
  const output = outputOf(await runGit(diffArgs(repository, { how, paths: ["."] }), repository.run));
  const files = new Map(parseChanges(output).map((file) => [file.path, file]));
  for (const path of repository.conflicted) {
    // One side may be what the working tree has: no difference, and still to be settled.
    files.set(path, { path, added: 0, removed: 0, ...files.get(path), status: "conflicted" });
  }
  for (const path of repository.untracked) {
    const file = files.get(path);
    if (file?.status === "added") files.set(path, { ...file, status: "untracked" });
  }
  return [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
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
