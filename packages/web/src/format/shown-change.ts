import type { FileDiff } from "@drover/core";
import { type DiffLine, lineDiff } from "./line-diff.ts";
import { shortPath } from "./short-path.ts";
import type { FileChange, ToolInput, ToolOutput } from "./tool-content.ts";

/** What a call reports it changed goes before what it was asked to change. */
export const shownChanges = (input: ToolInput, output: ToolOutput): readonly FileChange[] =>
  output.changes.length > 0 ? output.changes : input.changes;

interface Told {
  /** The words above the changes. */
  readonly title: string;
  readonly cwd: string;
}

/** The only change of a call whose title tells which file it is: it needs no head of its own. */
export function soleChange(changes: readonly FileChange[], { title, cwd }: Told): FileChange | undefined {
  const [change, ...more] = changes;
  return change && more.length === 0 && title.includes(shortPath(change.path, cwd)) ? change : undefined;
}

/**
 * Changes with what was there before, where the agent shows it beside the input. Of that only the very same change is
 * believed: what a person says yes to is the input.
 */
export function withBefore(
  changes: readonly FileChange[],
  diffs: readonly FileDiff[] = [],
): readonly FileChange[] {
  return changes.map((change) => {
    const { path, before, after } = change;
    const shown = diffs.find(
      (diff) => diff.newText === after && (diff.path === path || diff.path.endsWith(`/${path}`)),
    );
    return before === undefined && shown ? { ...change, before: shown.oldText ?? "" } : change;
  });
}

/** A change is compared once, for its card's head and its lines. */
const compared = new WeakMap<FileChange, readonly DiffLine[]>();

export function changeLines(change: FileChange): readonly DiffLine[] {
  const known = compared.get(change) ?? lineDiff(change.before ?? "", change.after);
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
