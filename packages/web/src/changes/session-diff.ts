import type { Drover } from "../state/drover.ts";
import { api, download } from "../transport/http.ts";
import type { DiffEdits, DiffSource } from "./diff-source.ts";

/** Which changes of a session: those of a turn, all since its base, what it has otherwise than another one, or else the uncommitted ones. */
export interface ChangesQuery {
  readonly turn?: string | undefined;
  readonly against?: "base" | undefined;
  /** The id of another session. */
  readonly with?: string | undefined;
}

/** What a session has changed. It may change with every turn, and while the connection is lost. */
export function sessionDiff(
  drover: Drover,
  sessionId: string,
  { turn, against, with: other }: ChangesQuery = {},
): DiffSource {
  const { connection } = drover;
  const base = `/api/sessions/${sessionId}`;
  const chosen = {
    ...(turn ? { turn } : {}),
    ...(against ? { against } : {}),
    ...(other ? { with: other } : {}),
  };
  const isUncommitted = turn === undefined && against === undefined && other === undefined;
  const at = (path: string, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ ...chosen, ...query });
    return `${base}/${path}${search.size === 0 ? "" : `?${search}`}`;
  };
  const edits = isUncommitted ? discarding(drover, sessionId) : turn && undoing(drover, sessionId, turn);
  return {
    id: [sessionId, turn ?? against ?? other].filter((part) => part !== undefined).join(":"),
    load: () => api("GET", at("workspace")),
    loadDiff: (path, to) => download(at("diff", path === undefined ? {} : { path }), to),
    loadLines: ({ path }, { from, to }) =>
      // From before the change: an agent may be writing to the working copy.
      api("GET", at("file", { path, side: "before", from: `${from}`, to: `${to}` })),
    ...(edits ? { edits } : {}),
    subscribe: (changed) => {
      const undo = [
        connection.onOpen(changed),
        connection.onAnnouncement((news) => {
          const isOurs = news.type === "session:turn" && news.sessionId === sessionId;
          if (isOurs && news.phase === "ended") changed();
        }),
      ];
      return () => {
        for (const each of undo) each();
      };
    },
  };
}

function discarding(drover: Drover, sessionId: string): DiffEdits {
  return {
    verb: "Discard",
    takeBackFiles: (paths) => drover.discard(sessionId, { paths: [...paths] }),
    takeBackHunk: (patch) => drover.discard(sessionId, { patch }),
    restore: ({ turnId }) => drover.revert(sessionId, { turnId }),
    commit: (message, paths) =>
      drover.commit(sessionId, { message, ...(paths ? { paths: [...paths] } : {}) }),
  };
}

function undoing(drover: Drover, sessionId: string, turnId: string): DiffEdits {
  return {
    verb: "Undo",
    takeBackFiles: (paths, { force }) => drover.revert(sessionId, { turnId, paths: [...paths], force }),
    restore: (taken) => drover.revert(sessionId, { turnId: taken.turnId }),
  };
}
