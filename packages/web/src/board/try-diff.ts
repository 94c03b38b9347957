import { type ChangedFile, ok } from "@drover/core";
import { DiffParser, type FileDiff } from "../changes/diff-parse.ts";
import type { DiffSource } from "../changes/diff-source.ts";
import { reviewDiff } from "../review/review-diff.ts";
import type { Drover } from "../state/drover.ts";
import { download } from "../transport/http.ts";

interface Pair {
  readonly of: string;
  readonly against: string;
}

/** What one session's work has otherwise than another's. */
export function tryDiff(drover: Drover, { of, against }: Pair): DiffSource {
  const at = (query: Record<string, string> = {}) =>
    `/api/sessions/${of}/diff?${new URLSearchParams({ with: against, ...query })}`;
  const both = [reviewDiff(drover, of), reviewDiff(drover, against)];
  return {
    id: `${of}:${against}`,
    load: async () => {
      const found: FileDiff[] = [];
      const parser = new DiffParser((file) => found.push(file));
      const { signal } = new AbortController();
      const done = await download(at(), { onText: (text) => parser.push(text), signal });
      if (!done.ok) return done;
      parser.end();
      return ok({ mode: "worktree", path: "", versioned: true, files: found.map(listed) });
    },
    loadDiff: (path, to) => download(at(path === undefined ? {} : { path }), to),
    subscribe: (changed) => {
      const undo = both.map((source) => source.subscribe(changed));
      return () => {
        for (const each of undo) each();
      };
    },
  };
}

/** A file as the list shows it, by the lines of its diff. */
function listed({ path, rows }: FileDiff): ChangedFile {
  const count = (kind: "added" | "removed" | "context") => rows.filter((row) => row.kind === kind).length;
  const [added, removed, context] = [count("added"), count("removed"), count("context")];
  const isWhole = context === 0;
  const status = isWhole && removed === 0 ? "added" : isWhole && added === 0 ? "deleted" : "modified";
  return { path, status, added, removed };
}
