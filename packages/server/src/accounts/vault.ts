import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { AccountSecret, Vault } from "../ports.ts";
import { openRegular, readAtMost } from "../process/regular-file.ts";

/** Far more than any login needs. */
const maxBytes = 1024 * 1024;
const name = "secret.json";
const idPattern = /^acc_[0-9a-z]{26}$/;

const secretSchema = z.object({
  token: z.string().optional(),
  refreshToken: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});

/** One directory per account, for its owner alone. A file is replaced at once or not at all. */
export function fileVault(directory: string): Vault {
  return {
    async read(accountId) {
      const path = join(directory, checked(accountId), name);
      try {
        await using file = await openRegular(path, { followLinks: false });
        const bytes = await readAtMost(file, maxBytes);
        return bytes && secretSchema.parse(JSON.parse(bytes.toString("utf8")));
      } catch (error) {
        if (isMissing(error)) return undefined;
        // An error of the parser would quote the secret.
        throw new Error(`The secret of ${accountId} cannot be read (${reasonOf(error)})`);
      }
    },

    async save(accountId, secret) {
      const own = join(directory, checked(accountId));
      await mkdir(own, { recursive: true, mode: 0o700 });
      await using folder = await openFolder(own);
      await replace(own, secret);
      await folder.sync();
    },

    async remove(accountId) {
      await rm(join(directory, checked(accountId)), { recursive: true, force: true });
    },

    async ids() {
      const names = await readdir(directory).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      return names.filter((one) => idPattern.test(one));
    },
  };
}

async function replace(own: string, secret: AccountSecret): Promise<void> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const draft = join(own, `${name}.${randomUUID()}`);
  try {
    await using file = await open(draft, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, 0o600);
    await file.writeFile(JSON.stringify(secret));
    await file.sync();
    await rename(draft, join(own, name));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Rejects for a link: it would lead the secret out of the home. */
async function openFolder(directory: string): Promise<FileHandle> {
  const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = constants;
  const folder = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  await folder.chmod(0o700);
  return folder;
}

/** An id becomes part of a path. */
function checked(accountId: string): string {
  if (!idPattern.test(accountId)) throw new Error("Not the id of an account");
  return accountId;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");

const reasonOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "damaged";
