import { openRegular } from "./regular-file.ts";

/** The last bytes of a file, from the start of a character. */
export async function tailOf(path: string, bytes: number): Promise<string> {
  await using file = await openRegular(path);
  const { size } = await file.stat();
  const start = Math.max(0, size - bytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - start), 0, size - start, start);
  let from = 0;
  // The cut may have split a character: skip its remaining bytes.
  while (start > 0 && from < 3 && ((buffer[from] ?? 0) & 0b1100_0000) === 0b1000_0000) from += 1;
  return buffer.toString("utf8", from, bytesRead);
}
