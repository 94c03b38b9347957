import type { Session } from "@drover/core";
import { hasFailed } from "../sidebar/groups.ts";

/** The columns of the board, in the order a worker passes through them. */
export const columnTitles = {
  queued: "Queued",
  working: "Working",
  needs: "Needs you",
  review: "Review",
  merged: "Merged",
  failed: "Failed",
} as const;
export type Column = keyof typeof columnTitles;

export const columns = Object.keys(columnTitles) as readonly Column[];

type Facts = Pick<
  Session,
  "state" | "turn" | "lastTurn" | "openInteractions" | "queued" | "queuePaused" | "review"
>;

/** States in which a worker goes on without a person. */
const active: readonly Session["state"][] = [
  "starting",
  "running",
  "stalled",
  "stopping",
  "waiting_for_quota",
];

/** Where a person's decision on the work puts a worker, whatever its last turn was like. */
const decided: Readonly<Partial<Record<NonNullable<Session["review"]>["state"], Column>>> = {
  accepted: "review",
  merging: "review",
  merged: "merged",
  rejected: "failed",
};

/** Where a worker stands: the first rule that applies. */
export function columnOf(session: Facts): Column {
  const { state, turn, lastTurn, openInteractions, queued, queuePaused, review } = session;
  if (openInteractions > 0) return "needs";
  if (state === "queued") return "queued";
  if (turn !== undefined || active.includes(state)) return "working";
  const hasEnded = state === "stopped" || state === "crashed";
  if (queued > 0 && !hasEnded) return queuePaused ? "needs" : "queued";
  const decision = decided[review?.state ?? "none"];
  if (decision) return decision;
  if (hasFailed(session)) return "failed";
  if (review && review.state !== "none") return "review";
  if (hasEnded || lastTurn?.reason === "cancelled") return "failed";
  // A worker that is done without changes may still have a result to read.
  return lastTurn === undefined ? "queued" : "review";
}

export type Board = Readonly<Record<Column, readonly Session[]>>;

/**
 * Workers by column: the queue in its order, all others with the newest first, so that no card moves while its worker
 * writes. A column whose workers are all unchanged keeps its identity.
 */
export function boardOf(sessions: readonly Session[], before?: Board): Board {
  const workers = sessions
    .filter(({ kind }) => kind === "worker")
    .sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id));
  const found = Map.groupBy(workers, columnOf);
  const inOrder = (column: Column) => {
    const members = found.get(column) ?? [];
    return column === "queued" ? members.toReversed() : members;
  };
  const kept = (column: Column) => {
    const [members, known] = [inOrder(column), before?.[column]];
    return known && isSame(known, members) ? known : members;
  };
  return {
    queued: kept("queued"),
    working: kept("working"),
    needs: kept("needs"),
    review: kept("review"),
    merged: kept("merged"),
    failed: kept("failed"),
  };
}

const isSame = (a: readonly Session[], b: readonly Session[]): boolean =>
  a.length === b.length && a.every((session, at) => session === b[at]);

/** The workers that can go no further without a person, the most urgent first. */
export function needingPerson(sessions: readonly Session[]): readonly Session[] {
  const { needs, review, failed } = boardOf(sessions);
  return [
    ...needs.toReversed(),
    ...failed.filter(({ unread }) => unread),
    ...review.filter(({ review: work }) => work?.state !== "accepted" && work?.state !== "merging"),
  ];
}

/** A worker that can be stopped: it has a turn, or waits to begin one. */
export const canBeStopped = ({ state, turn, queued }: Session): boolean =>
  turn !== undefined || (queued > 0 && state !== "stopped" && state !== "crashed");
