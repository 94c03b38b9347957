import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { type Finding, shellWord } from "@drover/core";
import type { Home } from "../home.ts";
import { broken, fine } from "./finding.ts";

/** Whether the secrets of accounts are private. Reads none of them. */
export async function checkAccounts({ accounts }: Home): Promise<Finding[]> {
  const names = await readdir(accounts).catch(() => []);
  if (names.length === 0) return [];
  const files = await readdir(accounts, { recursive: true }).catch(() => []);
  const places = [accounts, ...files.map((file) => join(accounts, file))];
  const found = await Promise.all(places.map(isOpen));
  const open = places.find((_, at) => found[at]);
  if (open === undefined) return [fine("accounts", `${accounts} is private`)];
  const remedy = `\`chmod -R go= ${shellWord(accounts)}\`, then replace the logins in it`;
  return [broken("accounts", `Other users can access ${open}, which has secrets`, remedy)];
}

const isOpen = async (path: string): Promise<boolean> => {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
};
