/** How an index is laid out: gitformat-index(5). */
const HEADER = 12;
const STAT = 40;
const MODE_AT = 24;
const NAME_LENGTH = 0x0fff;
const ASSUME_VALID = 0x8000;
const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** Without these the entries cannot be read: the other half of a split index, and directories instead of files. */
const NEEDED_EXTENSIONS = ["link", "sdir"];

/**
 * A copy of an index that hides nothing: no entry is assumed unchanged and, unless `isSparse`, none is left out of the
 * working tree. Everything git could take on trust instead of looking (untracked files, file system monitor, trees of
 * directories) is dropped. The checksum stays as it was: git does not verify it, and half of a split index is known by it.
 */
export function revealingIndex(
  index: Buffer,
  { hashSize, isSparse }: { hashSize: number; isSparse: boolean },
): Buffer {
  const copy = Buffer.from(index);
  const version = copy.readUInt32BE(4);
  if (copy.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4)
    throw new Error("Unknown index");
  let at = HEADER;
  for (let count = copy.readUInt32BE(8); count > 0; count--) {
    const start = at;
    at += STAT + hashSize;
    const flags = copy.readUInt16BE(at);
    copy.writeUInt16BE(flags & ~ASSUME_VALID, at);
    at += 2;
    if (flags & EXTENDED) {
      const isFile = (copy.readUInt32BE(start + MODE_AT) & TYPE) !== DIRECTORY;
      if (isFile && !isSparse) copy.writeUInt16BE(copy.readUInt16BE(at) & ~SKIP_WORKTREE, at);
      at += 2;
    }
    at = version === 4 ? endOfShortName(copy, at) : endOfPaddedName(copy, { start, at, flags });
  }
  return Buffer.concat([
    copy.subarray(0, at),
    ...neededExtensions(copy, at, copy.length - hashSize),
    copy.subarray(-hashSize),
  ]);
}

/** NULs fill the entry up to a multiple of eight bytes; there is at least one. */
function endOfPaddedName(
  index: Buffer,
  { start, at, flags }: { start: number; at: number; flags: number },
): number {
  const length = flags & NAME_LENGTH;
  const end = length < NAME_LENGTH ? at + length : endOfText(index, at);
  return start + ((end - start + 8) & ~7);
}

/** How much of the previous name to drop, as a number of variable length, then what to append. */
function endOfShortName(index: Buffer, start: number): number {
  let at = start;
  while (index.readUInt8(at) & 0x80) at++;
  return endOfText(index, at + 1) + 1;
}

function endOfText(index: Buffer, start: number): number {
  const end = index.indexOf(0, start);
  if (end < 0) throw new Error("The index ends within a name");
  return end;
}

function neededExtensions(index: Buffer, start: number, end: number): Buffer[] {
  const needed: Buffer[] = [];
  for (let at = start; at < end; ) {
    const next = at + 8 + index.readUInt32BE(at + 4);
    if (NEEDED_EXTENSIONS.includes(index.toString("latin1", at, at + 4)))
      needed.push(index.subarray(at, next));
    at = next;
  }
  return needed;
}
