import { createStore, useStore } from "../state/store.ts";
import { randomId } from "../storage/random.ts";
import { browserStorage } from "../storage/storage.ts";
import type { CommentedLines } from "./commented-lines.ts";

/** A comment on lines of a diff, kept until it is sent to the agent. */
export interface LineComment extends CommentedLines {
  readonly id: string;
  readonly path: string;
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

/** Starts a comment on lines, unless they already have one. An empty one on any of these lines becomes this one. */
export function beginComment(diffId: string, path: string, lines: CommentedLines): void {
  const comments = commentsOf(diffId);
  if (comments.some((comment) => isOn(comment, { path, ...lines }))) return;
  const { side, line, from = line } = lines;
  const isWithin = (other: LineComment) =>
    other.path === path && other.side === side && other.line >= from && other.line <= line;
  const kept = comments.filter((other) => other.body.trim() !== "" || !isWithin(other));
  save(diffId, [...kept, { id: randomId(), path, ...lines, body: "" }]);
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

type Place = Pick<LineComment, "path" | "side" | "line" | "from">;

function isOn(comment: Place, place: Place): boolean {
  const { path, side, line, from } = place;
  return comment.path === path && comment.side === side && comment.line === line && comment.from === from;
}
