// What an agent's HOME must hold, and its environment say, for it to talk to a scripted model and to nobody else.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface HomeRequest {
  /** An existing directory of the test's own. */
  home: string;
  /** The scripted model's address, without a path. */
  baseUrl: string;
  /** It tries a failing model as often as it does at people's homes; else once, where it can be told so. */
  keepsTrying?: boolean;
}

export interface AgentHome {
  env: Record<string, string>;
}

/**
 * What every agent's environment says: temporary files go with the home, into a directory beside the agent's own files
 * (Codex's sandbox breaks silently when its home is below the directory for temporary files).
 */
export async function ownTemporary(home: string): Promise<Record<string, string>> {
  const directory = join(home, "tmp");
  await mkdir(directory, { recursive: true });
  return { TMPDIR: directory };
}

/** Not a key of anybody. */
export const madeUpKey = "made-up-key";

export async function writeSetting(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
