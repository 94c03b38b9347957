import { execFileSync } from "node:child_process";
import { mkdir, readdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempDir } from "../../../../test/kit/temp.ts";
import { storedAttachments } from "../../src/process/attachments.ts";

test("bytes are stored once under their hash, private, and shared with a fork", async () => {
  await using directory = await tempDir();
  const attachments = storedAttachments((id) => join(directory.path, id));
  const id = await attachments.save("ses_a", Buffer.from("image"));
  expect(await attachments.save("ses_a", Buffer.from("image"))).toBe(id);
  const place = join(directory.path, "ses_a", "attachments");
  expect(await readdir(place)).toEqual([id]);
  expect((await stat(join(place, id))).mode & 0o777).toBe(0o600);
  expect(await attachments.read("ses_b", id)).toBeUndefined();
  await attachments.share("ses_a", "ses_b");
  await attachments.share("ses_none", "ses_b");
  expect(String(await attachments.read("ses_b", id))).toBe("image");
});

test("an id is never a path", async () => {
  await using directory = await tempDir();
  const attachments = storedAttachments((id) => join(directory.path, id));
  await mkdir(join(directory.path, "ses_a", "attachments"), { recursive: true });
  await writeFile(join(directory.path, "token"), "secret");
  for (const id of ["../../token", join(directory.path, "token"), "", "."])
    expect(await attachments.read("ses_a", id), id).toBeUndefined();
});

test("H8 a FIFO or a link in place of an attachment is not read, and not copied to a fork", async () => {
  await using directory = await tempDir();
  const attachments = storedAttachments((id) => join(directory.path, id));
  const place = join(directory.path, "ses_a", "attachments");
  await mkdir(place, { recursive: true });
  const [fifo, link] = ["a".repeat(64), "b".repeat(64)];
  execFileSync("mkfifo", [join(place, fifo)]);
  await symlink("/dev/zero", join(place, link));
  for (const id of [fifo, link]) expect(await attachments.read("ses_a", id)).toBeUndefined();
  await attachments.share("ses_a", "ses_b");
  expect(await readdir(join(directory.path, "ses_b", "attachments"))).toEqual([]);
});
