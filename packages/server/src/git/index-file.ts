/** The layout of an index: gitformat-index(5). */
export const HEADER = 12;
export const STAT = 40;
const MTIME_AT = 8;
export const MODE_AT = 24;
export const NAME_LENGTH = 0x0fff;
const ASSUME_VALID = 0x8000;
export const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;
const TYPE = 0o170000;
const DIRECTORY = 0o040000;

/** An extension: half of the entries are in another file. */
const SPLIT = "link";
/**
 * An extension: directories are entries, too. If no entry is a directory, git would still rewrite all
 * trees, which touches those of the repository.
 */
const SPARSE = "sdir";

export interface IndexFacts {
  /** The length of an object id, in bytes. */
  readonly hashSize: number;
  /** When the index was written, in seconds. */
  readonly writtenAt: number;
  readonly isSparse: boolean;
}

export interface RevealingIndex {
  /** Of version 2 or 3. */
  readonly content: Buffer;
  /** Its other half is in another file. */
  readonly isSplit: boolean;
  /** Directories that stand for all files in them, which are not in the working tree. */
  readonly directories: readonly Buffer[];
}

/**
 * A copy of an index that hides nothing: no entry is assumed unchanged and, unless `isSparse`, none is left out of the
 * working tree. Everything git could trust instead of checking (untracked files, file system monitor, directory trees)
 * is dropped. Git compares times by the second, so it must read files that changed in the same second as the index,
 * even if their modification time was set back. The checksum stays unchanged: git does not verify it, and it identifies
 * half of a split index.
 */
export function revealingIndex(index: Buffer, { hashSize, writtenAt, isSparse }: IndexFacts): RevealingIndex {
  const copy = Buffer.from(index);
  const version = copy.readUInt32BE(4);
  if (copy.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4)
    throw new Error("Unknown index");
  const directories: Buffer[] = [];
  const unpacked: Buffer[] = [];
  let at = HEADER;
  let name = Buffer.alloc(0);
  for (let count = copy.readUInt32BE(8); count > 0; count--) {
    const start = at;
    if (copy.readUInt32BE(start) >= writtenAt) copy.writeUInt32BE(0, start + MTIME_AT);
    const isDirectory = (copy.readUInt32BE(start + MODE_AT) & TYPE) === DIRECTORY;
    at += STAT + hashSize;
    const flags = copy.readUInt16BE(at);
    copy.writeUInt16BE(flags & ~ASSUME_VALID, at);
    at += 2;
    if (flags & EXTENDED) {
      if (!isDirectory && !isSparse) copy.writeUInt16BE(copy.readUInt16BE(at) & ~SKIP_WORKTREE, at);
      at += 2;
    }
    if (version === 4) {
      const facts = copy.subarray(start, at);
      [name, at] = shortName(copy, at, name);
      unpacked.push(entryOf(facts, name));
    } else {
      name = wholeName(copy, at, flags);
      at = start + paddedSize(at - start + name.length);
    }
    if (isDirectory) directories.push(name);
  }
  if (version === 4) copy.writeUInt32BE(3, 4);
  const entries = version === 4 ? [copy.subarray(0, HEADER), ...unpacked] : [copy.subarray(0, at)];
  const needed = directories.length > 0 ? [SPLIT, SPARSE] : [SPLIT];
  const extensions = extensionsOf(copy.subarray(at, -hashSize), needed);
  return {
    content: Buffer.concat([...entries, ...extensions, copy.subarray(-hashSize)]),
    isSplit: extensions.some((extension) => extension.toString("latin1", 0, 4) === SPLIT),
    directories,
  };
}

/** NULs pad an entry to a multiple of eight bytes; there is at least one. */
export const paddedSize = (size: number): number => (size + 8) & ~7;

export function entryOf(facts: Buffer, name: Buffer): Buffer {
  const entry = Buffer.alloc(paddedSize(facts.length + name.length));
  facts.copy(entry);
  name.copy(entry, facts.length);
  return entry;
}

export function wholeName(index: Buffer, at: number, flags: number): Buffer<ArrayBuffer> {
  const length = flags & NAME_LENGTH;
  return Buffer.from(index.subarray(at, length < NAME_LENGTH ? at + length : endOfText(index, at)));
}

/** How much of the previous name to drop, as a variable-length number, then what to append; and where it ends. */
function shortName(index: Buffer, start: number, previous: Buffer): [Buffer<ArrayBuffer>, number] {
  let at = start;
  let dropped = index.readUInt8(at) & 0x7f;
  while (index.readUInt8(at++) & 0x80) dropped = ((dropped + 1) << 7) | (index.readUInt8(at) & 0x7f);
  const end = endOfText(index, at);
  const kept = previous.subarray(0, Math.max(0, previous.length - dropped));
  return [Buffer.concat([kept, index.subarray(at, end)]), end + 1];
}

function endOfText(index: Buffer, start: number): number {
  const end = index.indexOf(0, start);
  if (end < 0) throw new Error("The index ends inside a name");
  return end;
}

function extensionsOf(extensions: Buffer, names: readonly string[]): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at < extensions.length; ) {
    const next = at + 8 + extensions.readUInt32BE(at + 4);
    const name = extensions.toString("latin1", at, at + 4);
    if (names.includes(name)) found.push(extensions.subarray(at, next));
    at = next;
  }
  return found;
}
