import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Stands for the user's home in recorded files. */
export const placeholder = "/recorded-home";

const read = async (name: string, home: string) =>
  (await readFile(join(import.meta.dirname, name), "utf8")).replaceAll(placeholder, home);

/** Puts the recorded database into a home that no server has used yet, and opens it for changes. */
export async function restoreHome(version: number, home: string): Promise<DatabaseSync> {
  const directory = join(home, ".drover");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(join(directory, "drover.db"));
  db.exec(await read(`v${version}.sql`, home));
  return db;
}

/** What the recorded server had written to the agent that was in its turn. */
export const agentInput = (version: number, home: string) => read(`v${version}-input.jsonl`, home);
