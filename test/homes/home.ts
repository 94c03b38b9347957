import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Replaces the user's home in recorded files. */
export const placeholder = "/recorded-home";

const read = async (name: string, home: string) =>
  (await readFile(join(import.meta.dirname, name), "utf8")).replaceAll(placeholder, home);

/** Loads the recorded database into an unused home, and opens it for changes. */
export async function restoreHome(version: number, home: string): Promise<DatabaseSync> {
  const directory = join(home, ".drover");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(directory, "drover.db"));
  db.exec(await read(`v${version}.sql`, home));
  return db;
}

/** The recorded server's input to the agent whose turn was running. */
export const agentInput = (version: number, home: string) => read(`v${version}-input.jsonl`, home);
