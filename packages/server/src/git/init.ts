import { outputOf } from "./describe.ts";
import { type GitRun, runGit } from "./run-git.ts";

/** Makes an empty repository in a directory that has none. No template of the user's is copied into it. */
export async function initRepository(run: GitRun): Promise<void> {
  outputOf(await runGit({ args: ["init", "--quiet", "--template=", "--initial-branch=main", "."] }, run));
}
