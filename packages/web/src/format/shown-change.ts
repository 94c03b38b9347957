import { type DiffLine, exactLineDiff, hasOpenEnd } from "./line-diff.ts";
import { shortPath } from "./short-path.ts";
import type { ToolOutput } from "./tool-content.ts";
import { type FileChange, fieldsOf, readChange, type ToolInput } from "./tool-input.ts";

/** What a call reports it changed goes before what it was asked to change. */
export const shownChanges = (input: ToolInput, output: ToolOutput): readonly FileChange[] =>
  output.changes.length > 0 ? output.changes : input.changes;

interface CallHead {
  /** The words above the changes. */
  readonly title: string;
  readonly cwd: string;
}

/** The only change of a call whose title tells which file it is: it needs no head of its own. */
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
 * The changes of an input, joined with the diffs an agent shows beside it. A diff that only repeats a change of the
 * input supplies what was there before; every other one is left for the card to show by itself.
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

/** A diff without anything but a file's text before and after it. */
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

/** A change is compared once, for its card's head and its lines. */
const compared = new WeakMap<FileChange, readonly DiffLine[]>();

export function changeLines(change: FileChange): readonly DiffLine[] {
  const known = compared.get(change) ?? exactLineDiff(change.before ?? "", change.after);
  compared.set(change, known);
  return known;
}

/** Lines added and removed; undefined where it is not known what was there. */
export function changeCounts(change: FileChange): { added: number; removed: number } | undefined {
  if (change.before === undefined) return undefined;
  const count = (wanted: DiffLine["sign"]) =>
    changeLines(change).filter(({ sign }) => sign === wanted).length;
  return { added: count("+"), removed: count("-") };
}

/** Where a change ends without a line break, which no line of it shows; undefined where it does not. */
export function openEndWords({ before, after }: FileChange): string | undefined {
  const [old, now] = [hasOpenEnd(before), hasOpenEnd(after)];
  if (now && (old || !before)) return "No newline at end";
  if (now) return "No newline at end of the new text";
  return old ? "No newline at end of the old text" : undefined;
}
