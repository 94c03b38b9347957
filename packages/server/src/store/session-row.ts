import { isUnread, type SessionState } from "@drover/core";
import type { SessionRow, SessionRuntime } from "../ports.ts";

/**
 * The parts of a row that can be large: stored separately, and written only when they changed. Rows are immutable, so
 * the same object means the same content.
 */
export interface Parts {
  readonly about: SessionRow["about"];
  readonly pending: SessionRuntime["pending"];
  readonly contexts: NonNullable<SessionRuntime["contexts"]>;
  readonly queue: SessionState["queue"];
  readonly interactions: SessionState["interactions"];
}
export const partNames = [
  "about",
  "pending",
  "contexts",
  "queue",
  "interactions",
] as const satisfies (keyof Parts)[];

const noContexts = {};

export function partsOf({ about, runtime, state }: SessionRow): Parts {
  const { pending, contexts = noContexts } = runtime;
  return { about, pending, contexts, queue: state.queue, interactions: state.interactions };
}

/** An empty part has no row. */
export function isEmptyPart(part: Parts[keyof Parts]): boolean {
  return Array.isArray(part) ? part.length === 0 : Object.keys(part).length === 0;
}

/** The named parameters of a session's row, without its parts. */
export function encodeRow(row: SessionRow) {
  const { pending: _pending, contexts: _contexts, ...runtime } = row.runtime;
  const { queue: _queue, interactions: _interactions, ...state } = row.state;
  return {
    id: row.id,
    name: row.name,
    cwd: row.cwd,
    project_dir: row.workspace.projectDir,
    workspace: JSON.stringify(row.workspace),
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    archived: row.archived ? 1 : 0,
    state_name: row.stateName,
    live: row.live ? 1 : 0,
    open_from: row.openFrom,
    seen_seq: row.seenSeq,
    unread: isUnread(row.state, row.seenSeq) ? 1 : 0,
    review: row.state.review?.state ?? null,
    batch: row.about.worker?.batch ?? null,
    agent_session_id: row.runtime.agentSessionId ?? null,
    runtime: JSON.stringify(runtime),
    state: JSON.stringify(state),
  };
}
export type EncodedRow = ReturnType<typeof encodeRow>;

/** A row as it is read: STRICT tables hold exactly what was written; parts are null if empty. */
export type StoredRow = EncodedRow & { readonly key: number } & {
  readonly [P in keyof Parts]: string | null;
};

export function decodeRow(stored: StoredRow): SessionRow {
  const runtime: Omit<SessionRuntime, "pending" | "contexts"> = JSON.parse(stored.runtime);
  const state: Omit<SessionState, "queue" | "interactions"> = JSON.parse(stored.state);
  return {
    id: stored.id,
    name: stored.name,
    cwd: stored.cwd,
    workspace: JSON.parse(stored.workspace),
    createdAt: stored.created_at,
    updatedAt: stored.updated_at,
    archived: stored.archived === 1,
    about: JSON.parse(stored.about ?? "{}"),
    runtime: {
      ...runtime,
      pending: JSON.parse(stored.pending ?? "{}"),
      ...(stored.contexts === null ? {} : { contexts: JSON.parse(stored.contexts) }),
    },
    state: {
      ...state,
      queue: JSON.parse(stored.queue ?? "[]"),
      interactions: JSON.parse(stored.interactions ?? "[]"),
    },
    stateName: stored.state_name,
    live: stored.live === 1,
    openFrom: stored.open_from,
    seenSeq: stored.seen_seq,
  };
}
