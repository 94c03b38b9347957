import { type ChangedFile, stagedHeading } from "@drover/core";
import { outputOf } from "../git/describe.ts";
import type { Repository } from "../git/repository.ts";
import type { GitOutput } from "../git/run-git.ts";
import { diffCommand, PATCH_ARGS, parseChanges } from "./compare.ts";

/** What the next commit would contain where it differs from the working tree. */
export interface Staged extends Pick<Repository, "base" | "run" | "stream"> {
  /** As git has them, in Latin 1. */
  readonly paths: ReadonlySet<string>;
}

const STAGED_ARGS = ["--cached", "--no-renames"];
/** Few enough for a command line, no matter how long they are. */
const pathsAtOnce = 100;

/** Everything whose index differs from the last commit. */
export async function stagedPaths(repository: Repository): Promise<string[]> {
  const how = [...STAGED_ARGS, "--name-only", "-z"];
  const output = await repository.run(diffCommand(repository, { how, paths: ["."] }));
  return output.toString("latin1").split("\0").slice(0, -1);
}

/** The staged changes that the working tree does not show. */
export async function stagedFiles(staged: Staged): Promise<ChangedFile[]> {
  if (staged.paths.size === 0) return [];
  const how = [...STAGED_ARGS, "--raw", "--numstat", "-z"];
  const output = await staged.run(diffCommand(staged, { how, paths: ["."] }));
  return parseChanges(output.toString("latin1")).filter(({ path }) => staged.paths.has(path));
}

/** Their diff, after a heading, for everything at or below the path. */
export async function* stagedDiff(staged: Staged, path: string): GitOutput {
  const isWanted = (each: string) => path === "." || each === path || each.startsWith(`${path}/`);
  const wanted = [...staged.paths].filter(isWanted);
  if (wanted.length > 0) yield Buffer.from(`${stagedHeading}\n`);
  for (let at = 0; at < wanted.length; at += pathsAtOnce) {
    const paths = wanted.slice(at, at + pathsAtOnce);
    const how = [...STAGED_ARGS, ...PATCH_ARGS];
    outputOf({ code: yield* staged.stream(diffCommand(staged, { how, paths })), output: Buffer.alloc(0) });
  }
  return 0;
}
