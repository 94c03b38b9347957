import { pathText, stagedHeading } from "@drover/core";
import { Digest } from "./digest.ts";
import { labelHunks } from "./hunks.ts";
import { columnsOf, displayText } from "./line-text.ts";
import { Patches } from "./patches.ts";
import type { DiffRow, Hunk } from "./rows.ts";

export interface FileDiff {
  readonly path: string;
  readonly rows: readonly DiffRow[];
  /** The same for the same change, wherever in the file it is. */
  readonly digest: string;
}

const noNewline = "No newline at end of file";
const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/;

/** Parses a unified diff as it arrives. The cost of `push` is linear in its text. */
export class DiffParser {
  private unread = "";
  private file: OpenFile | undefined;
  /** Lines of the hunk still to come, by side. Anything in them that looks like a header is content. */
  private missing = { old: 0, now: 0 };
  private at = { old: 1, now: 1 };
  private isStaged = false;
  private readonly onFile: (file: FileDiff) => void;
  private readonly keepsPatches: boolean;

  constructor(onFile: (file: FileDiff) => void, { keepsPatches = false } = {}) {
    this.onFile = onFile;
    this.keepsPatches = keepsPatches;
  }

  push(text: string): void {
    const lines = (this.unread + text).split("\n");
    this.unread = lines.pop() ?? "";
    for (const line of lines) this.line(line);
  }

  end(): void {
    if (this.unread !== "") this.line(this.unread);
    this.unread = "";
    this.closeFile();
  }

  private line(line: string): void {
    if (this.missing.old > 0 || this.missing.now > 0) this.content(line);
    else if (line.startsWith("diff --git ")) {
      this.closeFile();
      // A hunk of the index is not what the working tree has.
      this.file = new OpenFile(line, this.keepsPatches && !this.isStaged ? new Patches(line) : undefined);
      if (this.isStaged) this.file.note("Staged version: the next commit will contain this");
    } else if (line === stagedHeading) {
      this.closeFile();
      this.isStaged = true;
    } else if (line.startsWith("@@ ")) this.openHunk(line);
    else if (line.startsWith("\\")) this.file?.noNewline(line);
    else this.file?.header(line);
  }

  private openHunk(line: string): void {
    const [, old = "", oldCount = "1", now = "", nowCount = "1", place = ""] = hunkHead.exec(line) ?? [];
    this.missing = { old: Number(oldCount), now: Number(nowCount) };
    const from = this.at.old;
    // Without lines on a side, its number is that of the line before.
    this.at = {
      old: Number(old) + (oldCount === "0" ? 1 : 0),
      now: Number(now) + (nowCount === "0" ? 1 : 0),
    };
    const to = this.at.old - 1;
    if (to >= from) this.file?.hide({ from, to, shift: this.at.now - this.at.old, place });
    this.file?.openHunk(line);
  }

  private content(line: string): void {
    const { at, missing, file } = this;
    const text = line.slice(1);
    if (line.startsWith("\\")) {
      file?.noNewline(line);
      return;
    }
    file?.patches?.line(line);
    if (!line.startsWith(" ")) file?.digest.add(line);
    if (line.startsWith("+")) {
      missing.now--;
      file?.add({ kind: "added", old: 0, now: at.now++, text });
    } else if (line.startsWith("-")) {
      missing.old--;
      file?.add({ kind: "removed", old: at.old++, now: 0, text });
    } else {
      missing.old--;
      missing.now--;
      file?.add({ kind: "context", old: at.old++, now: at.now++, text });
    }
  }

  private closeFile(): void {
    if (this.file) this.onFile(this.file.close({ from: this.at.old, shift: this.at.now - this.at.old }));
    this.file = undefined;
    this.at = { old: 1, now: 1 };
    this.missing = { old: 0, now: 0 };
  }
}

class OpenFile {
  private readonly rows: DiffRow[] = [];
  private path: string;
  private mode = "";
  private index = "";
  readonly digest = new Digest();
  readonly patches: Patches | undefined;

  constructor(head: string, patches: Patches | undefined) {
    this.patches = patches;
    this.path = pathOfHead(head.slice("diff --git ".length));
  }

  add({ text, ...row }: Omit<DiffRow, "columns">): void {
    const shown = displayText(text);
    this.rows.push({ ...row, text: shown, columns: columnsOf(shown) });
  }

  note(text: string): void {
    this.add({ kind: "note", old: 0, now: 0, text });
  }

  noNewline(line: string): void {
    this.patches?.line(line);
    this.note(noNewline);
  }

  openHunk(line: string): void {
    this.patches?.open(line, this.rows.length);
  }

  /** A hunk begins, after lines that the diff leaves out. */
  hide({ place = "", ...gap }: Omit<Hunk, "id">): void {
    const hunk = { id: this.rows.length, ...gap, ...(place === "" ? {} : { place: displayText(place) }) };
    this.add({ kind: "hunk", old: 0, now: 0, text: "", hunk });
  }

  header(line: string): void {
    this.patches?.header(line);
    // The ids of its contents also change when unchanged lines do.
    if (line.startsWith("index ")) this.index = line;
    else this.digest.add(line);
    const after = (start: string) => (line.startsWith(start) ? line.slice(start.length) : undefined);
    const renamed = after("rename to ") ?? after("copy to ");
    const named = after("+++ ") ?? after("--- ");
    if (renamed !== undefined) this.path = unquote(renamed);
    else if (named !== undefined && named !== "/dev/null") this.path = unquote(named).slice(2);
    else if (line.startsWith("Binary files ")) {
      this.digest.add(this.index);
      this.note("Binary file not shown");
    } else if (line.startsWith("old mode ")) this.mode = line.slice("old mode ".length);
    else if (line.startsWith("new mode ")) this.note(modeWords(this.mode, line.slice("new mode ".length)));
    else if (line === "similarity index 100%") this.note("Renamed without changes");
  }

  close(end: Pick<Hunk, "from" | "shift">): FileDiff {
    // Git shows three unchanged lines after a change, or fewer if the file ends there.
    const isCutOff = this.rows.length > 3 && this.rows.slice(-3).every(({ kind }) => kind === "context");
    if (isCutOff) this.hide({ ...end, isEnd: true });
    if (this.rows.length === 0) this.note("Empty file");
    this.patches?.addTo(this.rows);
    return { path: this.path, rows: labelHunks(this.rows), digest: this.digest.text };
  }
}

/** Reads `a/PATH b/PATH`. Only a change without content needs it, where both paths are the same. */
function pathOfHead(names: string): string {
  if (names.endsWith('"')) return unquote(names.slice(names.indexOf(' "b/') + 1)).slice(2);
  return names.slice(Math.ceil(names.length / 2) + 2);
}

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  f: "\f",
  v: "\v",
};

/** Decodes a name as git writes it: quoted and escaped byte by byte if it has unusual characters. */
export function unquote(name: string): string {
  // A name with a space in it is followed by a tab.
  if (!name.startsWith('"')) return name.replace(/\t$/, "");
  const inside = name.slice(1, name.lastIndexOf('"'));
  const bytes = inside.replace(
    /\\(?:([0-3][0-7]{2})|(.))/gs,
    (_, octal: string | undefined, letter: string) =>
      octal === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  );
  return pathText(bytes);
}

/** Describes a change of mode, which for a file means whether it is executable. */
function modeWords(before: string, now: string): string {
  const news =
    now === "100755" ? "Made executable" : before === "100755" ? "No longer executable" : "File mode changed";
  return `${news} (${before} → ${now})`;
}
