import { type ChangedFile, pathText } from "@drover/core";
import { outputOf } from "../git/describe.ts";
import type { GitOutput } from "../git/run-git.ts";
import { diffCommand, PATCH_ARGS, parseChanges } from "./compare.ts";
import { stagedDiff, stagedFiles } from "./staged.ts";
import type { WorkingCopy } from "./working-copy.ts";

/** Every file below the directory that differs from the last commit, by path. */
export async function listChanges(copy: WorkingCopy): Promise<ChangedFile[]> {
  const files = await changedFiles(copy);
  return files
    .map((file) => ({
      ...file,
      path: pathText(file.path),
      ...(file.from === undefined ? {} : { from: pathText(file.from) }),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The same with names as git has them, in Latin 1. */
export async function changedFiles(copy: WorkingCopy): Promise<ChangedFile[]> {
  const how = ["--raw", "--numstat", "-z"];
  const output = await copy.run(diffCommand(copy, { how, paths: ["."] }));
  const files = new Map(parseChanges(output.toString("latin1")).map((file) => [file.path, file]));
  for (const path of copy.conflicted) {
    // One side may equal the working tree: there is no difference, but the conflict is still unresolved.
    files.set(path, { path, added: 0, removed: 0, ...files.get(path), status: "conflicted" });
  }
  for (const path of copy.untracked) {
    const file = files.get(path);
    if (file?.status === "added") files.set(path, { ...file, status: "untracked" });
  }
  for (const file of await stagedFiles(copy.staged)) {
    files.set(file.path, { ...(files.get(file.path) ?? file), staged: true });
  }
  return [...files.values()];
}

/** The diff of everything at or below the path. */
export async function* diffOf(copy: WorkingCopy, path: string): GitOutput {
  const paths = await withOrigin(copy, path);
  const code = yield* copy.stream(diffCommand(copy, { how: PATCH_ARGS, paths }));
  outputOf({ code, output: Buffer.alloc(0) });
  return yield* stagedDiff(copy.staged, path);
}

/** Git reports a rename only if it may also look at the old path. */
async function withOrigin(copy: WorkingCopy, path: string): Promise<string[]> {
  if (path === ".") return [path];
  const file = (await changedFiles(copy)).find((each) => each.path === path);
  return file?.from === undefined ? [path] : [file.from, path];
}
