// How `reader.ts` reviews, updates and merges the work of a session.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Rejection, Result } from "@drover/core";
import { localWorkspace, type WorkspaceManager } from "../../src/ports.ts";
import { comparison, type WorkspaceDeps } from "../../src/workspace/comparison.ts";
import { worktreeMerges } from "../../src/workspace/merges.ts";
import { RepositoryLocks } from "../../src/workspace/repository-lock.ts";

/** How each step ended: done, or the code of its error. */
export type MergeSteps = { readonly before: string } & Readonly<Record<string, string>>;

const outcomeOf = ({ ok, ...rest }: Result<unknown, Rejection>): string =>
  ok ? "done" : (rest as { error: Rejection }).error.code;

const lines = (first: string, last: string) => `${first}\n${"between\n".repeat(8)}${last}\n`;

/** Lets a person and a session change one file, and brings both together. */
export async function reviewAndMerge(
  manager: WorkspaceManager,
  deps: WorkspaceDeps,
  cwd: string,
): Promise<MergeSteps> {
  const commit = async (content: string) => {
    await writeFile(join(cwd, "shared.txt"), content);
    const change = { message: "theirs", paths: ["shared.txt"] };
    return outcomeOf(await comparison(deps).commit({ cwd, workspace: localWorkspace(cwd) }, change));
  };
  const before = await commit(lines("one", "two"));
  const made = await manager.create({ name: "owl", directory: cwd, trusted: true }, async () => undefined);
  if (!made.ok) return { before, create: String(made.error.facts?.["reason"] ?? made.error.code) };
  const place = made.value;
  await writeFile(join(place.cwd, "shared.txt"), lines("of the owl", "two"));
  await writeFile(join(place.cwd, "owl.txt"), "new\n");
  const merges = worktreeMerges(deps, new RepositoryLocks());
  const nothing = async () => undefined;
  const spec = { sessionId: "ses_owl", into: undefined, message: "Merge\n", workMessage: "Work\n" };
  const outcomes = {
    ...{ before, after: await commit(lines("one", "of a person")) },
    commits: outcomeOf(await merges.commits(place)),
    facts: outcomeOf(await merges.facts(place, { into: undefined })),
    dryRun: outcomeOf(await merges.mergeability(place, { into: undefined })),
    update: outcomeOf(await merges.update(place, { from: undefined, workMessage: "Work\n" }, nothing)),
    merge: outcomeOf(await merges.merge(place, { ...spec, strategy: "merge" }, nothing)),
  };
  await manager.destroy(place.workspace, { isUnused: false });
  return outcomes;
}
