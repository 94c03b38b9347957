import { basename, dirname } from "node:path";
import { checkpointRepository } from "../git/checkpoint-directory.ts";
import { readRefs, updateRefs } from "../git/refs.ts";
import { ForgedTree } from "../git/tree.ts";
import { isThere } from "./comparison.ts";
import { Patience } from "./patience.ts";

/** Long enough for a repository with thousands of refs. */
const FORGETTING_MS = 60_000;

/**
 * Removes the refs of a session's checkpoints from its repository, if that still exists and no link has taken its place.
 * Git frees the rest later.
 */
export async function forgetCheckpoints(
  directory: string,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const repository = await checkpointRepository(directory).catch((error: unknown) => {
    if (!(error instanceof ForgedTree)) throw error;
    return undefined;
  });
  if (!repository || !(await isThere(repository.gitDirectory))) return;
  using patience = new Patience(FORGETTING_MS);
  const { signal } = patience;
  // The working tree may be gone; its repository is not.
  const { gitDirectory } = repository;
  const place = { top: gitDirectory, gitDirectory };
  const sessionId = basename(dirname(directory));
  const refs = await readRefs(place, `refs/drover/${sessionId}/`, { environment, signal });
  const changes = [...refs.keys()].map((ref) => ({ ref, to: null }));
  if (await updateRefs(place, changes, { environment, signal })) return;
  throw new Error(`git could not remove refs/drover/${sessionId} in ${gitDirectory}`);
}
