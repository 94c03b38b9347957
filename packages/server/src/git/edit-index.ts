import {
  EXTENDED,
  entryOf,
  HEADER,
  MODE_AT,
  NAME_LENGTH,
  paddedSize,
  STAT,
  wholeName,
} from "./index-file.ts";

/** Names are relative to the top of the working tree; Latin 1 stands for bytes. */
export interface IndexEdit {
  readonly added: readonly NewEntry[];
  readonly removed: ReadonlySet<string>;
}

export interface NewEntry {
  readonly name: string;
  readonly mode: number;
  /** The id of its object, in hexadecimal. */
  readonly id: string;
}

/**
 * An index of version 2 or 3 with other entries. Drover writes them itself: git refuses names such as `.Git/hooks` or
 * `git~1`, which others may still create, and to write a sparse index it touches the objects of the repository.
 */
export function editIndex(
  index: Buffer | undefined,
  { added, removed }: IndexEdit,
  hashSize: number,
): Buffer {
  const old = index ?? emptyIndex(hashSize);
  const coming = [...added].sort((a, b) => (a.name < b.name ? -1 : 1));
  const pieces: Buffer[] = [];
  let count = old.readUInt32BE(8);
  let [at, copied, next] = [HEADER, HEADER, 0];
  const copyUpTo = (end: number) => {
    pieces.push(old.subarray(copied, end));
    copied = end;
  };
  for (let left = count; left > 0; left--) {
    const start = at;
    const flagsAt = start + STAT + hashSize;
    const flags = old.readUInt16BE(flagsAt);
    const nameAt = flagsAt + (flags & EXTENDED ? 4 : 2);
    const bytes = wholeName(old, nameAt, flags);
    const name = bytes.toString("latin1");
    at = start + paddedSize(nameAt - start + bytes.length);
    for (let entry = coming[next]; entry && entry.name < name; entry = coming[++next]) {
      copyUpTo(start);
      pieces.push(newEntry(entry));
    }
    if (!removed.has(name)) continue;
    copyUpTo(start);
    copied = at;
    count--;
  }
  copyUpTo(at);
  const header = Buffer.from(old.subarray(0, HEADER));
  header.writeUInt32BE(count + coming.length, 8);
  return Buffer.concat([header, ...pieces, ...coming.slice(next).map(newEntry), old.subarray(at)]);
}

/** Without the times of a file: git reads it to compare it. */
function newEntry({ name, mode, id }: NewEntry): Buffer {
  const bytes = Buffer.from(name, "latin1");
  const hash = Buffer.from(id, "hex");
  const facts = Buffer.alloc(STAT + hash.length + 2);
  facts.writeUInt32BE(mode, MODE_AT);
  hash.copy(facts, STAT);
  facts.writeUInt16BE(Math.min(bytes.length, NAME_LENGTH), STAT + hash.length);
  return entryOf(facts, bytes);
}

function emptyIndex(hashSize: number): Buffer {
  const index = Buffer.alloc(HEADER + hashSize);
  index.write("DIRC", "latin1");
  index.writeUInt32BE(2, 4);
  return index;
}
