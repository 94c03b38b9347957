import type { Result, WorkspaceChanges } from "@drover/core";
import type { Connection } from "../transport/connection.ts";
import { api, download } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";

/** Where a diff comes from, such as a working copy. */
export interface DiffSource {
  /** Identifies the diff; comments are stored under it. */
  readonly id: string;
  /** The changed files, without their lines. */
  load(): Promise<Result<WorkspaceChanges, Problem>>;
  /** The git diff of one file, or of all files. */
  loadDiff(path: string | undefined, to: DiffReceiver): Promise<Result<true, Problem>>;
  /** Calls back once the diff can be loaded, and whenever it may have changed. */
  subscribe(changed: () => void): () => void;
}

export interface DiffReceiver {
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

/** What a session has changed in its working copy. It may change with every turn, and while the connection is lost. */
export function workspaceDiff(connection: Connection, sessionId: string): DiffSource {
  const base = `/api/sessions/${sessionId}`;
  return {
    id: sessionId,
    load: () => api("GET", `${base}/workspace`),
    loadDiff: (path, to) =>
      download(`${base}/diff${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`, to),
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
