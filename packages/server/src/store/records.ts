import type { DatabaseSync } from "node:sqlite";
import { type LoginRow, type ProjectRow, type Receipted, StoreError } from "../ports.ts";

/** Small records that are looked up by their own id. Writes run inside the writer's transactions. */
export interface RecordTables {
  receipt(key: string): Receipted | undefined;
  checkReceipt(receipt: Receipted | undefined): void;
  putReceipt(receipt: Receipted): void;

  projects(): ProjectRow[];
  putProject(project: ProjectRow): void;
  removeProject(id: string): void;

  logins(): LoginRow[];
  addLogin(login: LoginRow): void;
  useLogin(id: string, lastUsedAt: string): void;
  removeLogins(ids: readonly string[]): void;
}

export function prepareRecords(db: DatabaseSync, now: () => Date): RecordTables {
  const receipt = db.prepare("SELECT key, hash, answer FROM receipts WHERE key = ?");
  const putReceipt = db.prepare("INSERT INTO receipts (key, hash, answer, at) VALUES (?, ?, ?, ?)");
  const projects = db.prepare("SELECT id, path, name, trusted, env, settings FROM projects ORDER BY path");
  const putProject = db.prepare(
    `INSERT INTO projects (id, path, name, trusted, env, settings) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET path = excluded.path, name = excluded.name, trusted = excluded.trusted,
       env = excluded.env, settings = excluded.settings`,
  );
  const removeProject = db.prepare("DELETE FROM projects WHERE id = ?");
  const logins = db.prepare(
    `SELECT id, cookie_hash AS cookieHash, key_hash AS keyHash, token_hash AS tokenHash, label,
       created_at AS createdAt, last_used_at AS lastUsedAt FROM logins ORDER BY id`,
  );
  const addLogin = db.prepare(
    `INSERT INTO logins (id, cookie_hash, key_hash, token_hash, label, created_at, last_used_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const useLogin = db.prepare("UPDATE logins SET last_used_at = ? WHERE id = ?");
  const removeLogin = db.prepare("DELETE FROM logins WHERE id = ?");

  return {
    receipt: (key) => receipt.get(key) as Receipted | undefined,
    checkReceipt(wanted) {
      if (wanted && receipt.get(wanted.key) !== undefined) {
        throw new StoreError("RECEIPT_TAKEN", `${wanted.key} was already answered; read its receipt`);
      }
    },
    putReceipt: ({ key, hash, answer }) => void putReceipt.run(key, hash, answer, now().toISOString()),

    projects: () =>
      projects.all().map((row) => ({
        id: row["id"] as string,
        path: row["path"] as string,
        name: row["name"] as string,
        trusted: row["trusted"] === 1,
        env: JSON.parse(row["env"] as string),
        ...(JSON.parse(row["settings"] as string) as Omit<
          ProjectRow,
          "id" | "path" | "name" | "trusted" | "env"
        >),
      })),
    putProject: ({ id, path, name, trusted, env, ...settings }) =>
      void putProject.run(id, path, name, trusted ? 1 : 0, JSON.stringify(env), JSON.stringify(settings)),
    removeProject: (id) => void removeProject.run(id),

    logins: () => logins.all().map((row) => ({ ...row }) as unknown as LoginRow),
    addLogin: ({ id, cookieHash, keyHash, tokenHash, label, createdAt, lastUsedAt }) =>
      void addLogin.run(id, cookieHash, keyHash, tokenHash, label, createdAt, lastUsedAt),
    useLogin: (id, lastUsedAt) => void useLogin.run(lastUsedAt, id),
    removeLogins(ids) {
      for (const id of ids) removeLogin.run(id);
    },
  };
}
