import { randomBytes } from "node:crypto";
import { link, rename, unlink } from "node:fs/promises";
import { readRegular } from "../git/read-regular.ts";

/** A small file's text; undefined if there is none. Something that is not a file has no text. */
export const textOf = (path: string): Promise<string | undefined> =>
  readRegular(path).then(
    (file) => file?.content.toString(),
    () => "",
  );

/**
 * Removes a file that has this text. It is moved aside first: another server may do the same, and by now the file may
 * be a new one.
 */
export async function removeStale(path: string, text: string): Promise<void> {
  const aside = `${path}.${randomBytes(8).toString("hex")}`;
  const isMoved = await rename(path, aside).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  if ((await textOf(aside)) !== text) await link(aside, path).catch(() => undefined);
  await unlink(aside);
}
