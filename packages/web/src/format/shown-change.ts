import { type DiffLine, exactLineDiff, hasOpenEnd } from "./line-diff.ts";
import { shortPath } from "./short-path.ts";
import type { ToolOutput } from "./tool-content.ts";
import { type FileChange, fieldsOf, readChange, type ToolInput } from "./tool-input.ts";

/** Reported changes take precedence over requested ones. */
export const shownChanges = (input: ToolInput, output: ToolOutput): readonly FileChange[] =>
  output.changes.length > 0 ? output.changes : input.changes;

interface CallHead {
  /** The title above the changes. */
  readonly title: string;
  readonly cwd: string;
}

/** The only change of a call, if its title names the file. It needs no header. */
export function soleChange(changes: readonly FileChange[], { title, cwd }: CallHead): FileChange | undefined {
  const [change, ...more] = changes;
  return change && more.length === 0 && title.includes(shortPath(change.path, cwd)) ? change : undefined;
}

/** A change to approve. */
export interface ShownChange extends FileChange {
  /** The agent's diff that supplied `before`, named by its path. */
  readonly comparedWith?: string;
}

/**
 * Joins the changes of an input with the diffs that an agent shows next to it. A diff that repeats a change of the input
 * supplies the old text; all other diffs are returned in `others`.
 */
export function joinDiffs(
  changes: readonly FileChange[],
  diffs: readonly unknown[] = [],
): { changes: readonly ShownChange[]; others: readonly unknown[] } {
  const others = [...diffs];
  const joined = changes.map((change): ShownChange => {
    const at = others.findIndex((diff) => isSame(diff, change));
    if (at < 0) return change;
    const { path, before = null } = readDiff(others.splice(at, 1)[0]) ?? change;
    return { ...change, before, ...(path === change.path ? {} : { comparedWith: path }) };
  });
  return { changes: joined, others };
}

/** A diff that consists only of a file's old and new text. */
const readDiff = (diff: unknown) => {
  const read = readChange(fieldsOf(diff) ?? {});
  return read && Object.keys(read.source.extra).length === 0 ? read : undefined;
};

function isSame(diff: unknown, { path, before, after }: FileChange): boolean {
  const read = readDiff(diff);
  if (!read || read.after !== after) return false;
  const isSameFile = read.path === path || read.path.endsWith(`/${path}`);
  return isSameFile && (before === undefined || before === (read.before ?? null));
}

/** Caches the comparison, which the card's header and lines share. */
const compared = new WeakMap<FileChange, readonly DiffLine[]>();

export function changeLines(change: FileChange): readonly DiffLine[] {
  const known = compared.get(change) ?? exactLineDiff(change.before ?? "", change.after);
  compared.set(change, known);
  return known;
}

/** Added and removed lines; undefined if the old text is unknown. */
export function changeCounts(change: FileChange): { added: number; removed: number } | undefined {
  if (change.before === undefined) return undefined;
  const count = (wanted: DiffLine["sign"]) =>
    changeLines(change).filter(({ sign }) => sign === wanted).length;
  return { added: count("+"), removed: count("-") };
}

/** Says where a change ends without a line break; undefined if it does not. */
export function openEndWords({ before, after }: FileChange): string | undefined {
  const [old, now] = [hasOpenEnd(before), hasOpenEnd(after)];
  if (now && (old || !before)) return "No newline at end";
  if (now) return "No newline at end of the new text";
  return old ? "No newline at end of the old text" : undefined;
}
