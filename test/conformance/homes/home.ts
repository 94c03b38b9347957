// The HOME and the environment that make an agent talk to a scripted model and to nothing else.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface HomeRequest {
  /** An existing directory that belongs to the test. */
  home: string;
  /** The scripted model's address, without a path. */
  baseUrl: string;
  /** Keep its default number of retries of a failing model; otherwise it retries once, if that can be configured. */
  keepsTrying?: boolean;
}

export interface AgentHome {
  env: Record<string, string>;
}

/**
 * Every agent's environment: temporary files go into a directory beside the agent's files (Codex's sandbox breaks
 * silently if its home is below the directory for temporary files).
 */
export async function ownTemporary(home: string): Promise<Record<string, string>> {
  const directory = join(home, "tmp");
  await mkdir(directory, { recursive: true });
  return { TMPDIR: directory };
}

/** Not a real key. */
export const madeUpKey = "made-up-key";

export async function writeSetting(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
