import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TempDir extends AsyncDisposable {
  /** Its real path, which a program also gets as its working directory. */
  readonly path: string;
  remove(): Promise<void>;
}

/** A new directory that its owner removes: `await using dir = await tempDir()`. Leftovers fail the suite. */
export async function tempDir(prefix = "kit-"): Promise<TempDir> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  // A process that is ending may still write its last file here.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
