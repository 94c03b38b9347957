import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir extends AsyncDisposable {
  /** Its real path: what a program that asks for its own working directory is told. */
  readonly path: string;
  remove(): Promise<void>;
}

/** A new directory that its owner removes: `await using dir = await tempDir()`. What stays behind fails the suite. */
export async function tempDir(prefix = "kit-"): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  // A process that was just ended may still be writing its last file below.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
