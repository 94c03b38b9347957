import type { ChangedFile, FileLines, Result, WorkspaceChanges } from "@drover/core";
import type { Connection } from "../transport/connection.ts";
import { api, download } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";
import type { LineRange } from "./hunks.ts";

/** Where a diff comes from, such as a working copy. */
export interface DiffSource {
  /** Identifies the diff; comments are stored under it. */
  readonly id: string;
  /** The changed files, without their lines. */
  load(): Promise<Result<WorkspaceChanges, Problem>>;
  /** The git diff of one file, or of all files. */
  loadDiff(path: string | undefined, to: DiffReceiver): Promise<Result<true, Problem>>;
  /** Lines of a file before the change, to show more of it than its diff has. */
  loadLines(file: ChangedFile, range: LineRange): Promise<Result<FileLines, Problem>>;
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
    loadLines: ({ path }, { from, to }) => {
      // As in the last commit: an agent may be writing to the working copy.
      const query = { path, side: "before", from: `${from}`, to: `${to}` };
      return api("GET", `${base}/file?${new URLSearchParams(query)}`);
    },
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
