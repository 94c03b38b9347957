import { createStore, useStore } from "../state/store.ts";
import { randomId } from "../storage/random.ts";
import { browserStorage } from "../storage/storage.ts";
import type { DiffRow } from "./rows.ts";

export type Side = "old" | "now";

/** A comment on one line of a diff, kept until it is sent to the agent. */
export interface LineComment {
  readonly id: string;
  readonly path: string;
  /** `old` is for a removed line. */
  readonly side: Side;
  readonly line: number;
  /** The line itself, as it was when the comment was started. */
  readonly text: string;
  readonly body: string;
}

/** Comments survive a reload and navigation, and are shared by this browser's tabs. */
const key = (diffId: string) => `drover:comments:${diffId}`;

/** Comments by storage key, cached so that an unchanged list keeps its identity. */
const known = new Map<string, readonly LineComment[]>();
const changes = createStore(0);
const notify = () => changes.set(changes.get() + 1);
addEventListener("storage", (event) => {
  if (known.delete(event.key ?? "")) notify();
});

function commentsOf(diffId: string): readonly LineComment[] {
  const at = key(diffId);
  const comments = known.get(at) ?? browserStorage.readJson<LineComment[]>(at) ?? [];
  known.set(at, comments);
  return comments;
}

function save(diffId: string, comments: readonly LineComment[]): void {
  const at = key(diffId);
  browserStorage.write(at, comments.length === 0 ? undefined : JSON.stringify(comments));
  known.set(at, comments);
  notify();
}

export function useComments(diffId: string): readonly LineComment[] {
  return useStore(changes, () => commentsOf(diffId));
}

/** Starts a comment on a line, unless it already has one. */
export function beginComment(diffId: string, path: string, row: DiffRow): void {
  const side: Side = row.kind === "removed" ? "old" : "now";
  const line = side === "old" ? row.old : row.now;
  const comments = commentsOf(diffId);
  if (comments.some((comment) => isOn(comment, { path, side, line }))) return;
  save(diffId, [...comments, { id: randomId(), path, side, line, text: row.text, body: "" }]);
}

export function writeComment(diffId: string, id: string, body: string): void {
  save(
    diffId,
    commentsOf(diffId).map((comment) => (comment.id === id ? { ...comment, body } : comment)),
  );
}

export function dropComment(diffId: string, id: string): void {
  save(
    diffId,
    commentsOf(diffId).filter((comment) => comment.id !== id),
  );
}

export const dropAllComments = (diffId: string): void => save(diffId, []);

/** Takes back discarded comments, except on lines that have a new one. */
export function restoreComments(diffId: string, discarded: readonly LineComment[]): void {
  const since = commentsOf(diffId);
  save(diffId, [...discarded.filter((one) => !since.some((other) => isOn(one, other))), ...since]);
}

function isOn(comment: LineComment, place: Pick<LineComment, "path" | "side" | "line">): boolean {
  return comment.path === place.path && comment.side === place.side && comment.line === place.line;
}
