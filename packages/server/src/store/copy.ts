import { renameSync, rmSync, writeFileSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";

/**
 * Copies a database while others write to it. A separate connection copies everything in one step, off this thread:
 * writers do not wait for it, and it does not start over whenever they write. The copy appears under its name only when
 * it is complete.
 */
export async function copyDatabase(
  from: string,
  to: string,
  finish: (copy: DatabaseSync) => void = () => {},
): Promise<void> {
  const partial = `${to}.partial`;
  rmSync(partial, { force: true });
  // Created first, because SQLite would make it readable for everyone.
  writeFileSync(partial, "", { mode: 0o600, flag: "wx" });
  try {
    const source = new DatabaseSync(from, { readOnly: true });
    try {
      await backup(source, partial, { rate: 2_147_483_647 });
    } finally {
      source.close();
    }
    const copy = new DatabaseSync(partial);
    try {
      // A single, self-contained file: no -wal to forget when it is moved.
      copy.exec("PRAGMA journal_mode = DELETE");
      finish(copy);
    } finally {
      copy.close();
    }
    renameSync(partial, to);
  } finally {
    rmSync(partial, { force: true });
  }
}
