// What an agent's HOME must hold, and its environment say, for it to talk to a scripted model and to nobody else.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

export interface HomeRequest {
  /** An existing directory of the test's own. */
  home: string;
  /** The scripted model's address, without a path. */
  baseUrl: string;
}

export interface AgentHome {
  env: Record<string, string>;
}

/** Not a key of anybody. */
export const madeUpKey = "made-up-key";

export async function writeSetting(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
