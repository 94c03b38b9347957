import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { fileVault } from "../../src/accounts/vault.ts";

const id = `acc_${"a".repeat(26)}`;
const other = `acc_${"b".repeat(26)}`;
const mode = async (path: string) => (await stat(path)).mode & 0o777;

test("a secret is stored for its owner alone, whatever the umask, and replaced as a whole", async () => {
  await using home = await tempDir();
  const directory = join(home.path, "accounts");
  const vault = fileVault(directory);
  expect(await vault.read(id)).toBeUndefined();
  expect(await vault.ids()).toEqual([]);
  await vault.save(id, { token: "first", refreshToken: "again" });
  await vault.save(id, { env: { KEY: "second" } });
  await vault.save(other, { token: "third" });
  expect(await vault.read(id)).toEqual({ env: { KEY: "second" } });
  expect(await readdir(join(directory, id))).toEqual(["secret.json"]);
  expect([await mode(directory), await mode(join(directory, id))]).toEqual([0o700, 0o700]);
  expect(await mode(join(directory, id, "secret.json"))).toBe(0o600);
  expect((await vault.ids()).sort()).toEqual([id, other]);
  await vault.remove(id);
  await vault.remove(id);
  expect(await vault.ids()).toEqual([other]);
});

test("a directory that others could read is closed with the next secret", async () => {
  await using home = await tempDir();
  const own = join(home.path, id);
  await mkdir(own);
  await chmod(own, 0o755);
  await fileVault(home.path).save(id, { token: "x" });
  expect(await mode(own)).toBe(0o700);
});

test("no secret follows a link, in either direction", async () => {
  await using home = await tempDir();
  await using elsewhere = await tempDir();
  const vault = fileVault(home.path);
  await symlink(elsewhere.path, join(home.path, id));
  await expect(vault.save(id, { token: "x" })).rejects.toThrow();
  expect(await readdir(elsewhere.path)).toEqual([]);
  await mkdir(join(home.path, other));
  const target = join(elsewhere.path, "login.json");
  await writeFile(target, '{"token":"theirs"}');
  await symlink(target, join(home.path, other, "secret.json"));
  await expect(vault.read(other)).rejects.toThrow("cannot be read");
  await vault.save(other, { token: "ours" });
  expect(await readFile(target, "utf8")).toBe('{"token":"theirs"}');
  expect((await lstat(join(home.path, other, "secret.json"))).isSymbolicLink()).toBe(false);
});

test("K7 the error about a damaged secret does not quote it", async () => {
  await using home = await tempDir();
  const vault = fileVault(home.path);
  await vault.save(id, { token: "canary" });
  await writeFile(join(home.path, id, "secret.json"), '{"token":"canary"');
  await expect(vault.read(id)).rejects.toThrow(/^(?!.*canary).*damaged/s);
  await expect(vault.read("../../etc")).rejects.toThrow("Not the id of an account");
});
