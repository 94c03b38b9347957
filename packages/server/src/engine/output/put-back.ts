import { type EventBody, type Rejection, workerPaths } from "@drover/core";
import { CheckpointError } from "../../ports.ts";
import type { Checkpointer } from "../checkpoints/checkpointer.ts";
import type { SessionLog } from "../session/log.ts";

/** As many of the files are named. */
const maxNamed = 20;

const own = /(^|\/)\.drover\//;

/**
 * Makes a worktree what it was when the turn began, for a worker that writes only its output. Returns what the log says
 * about that. May be repeated: files that are back are left alone.
 */
export async function putBack(log: SessionLog, checkpointer: Checkpointer): Promise<EventBody[]> {
  const { runtime, state } = log.journal.row;
  const stamp = state.turn ? { turnId: state.turn.id } : {};
  const before = runtime.checkpoint?.before;
  if (before === undefined)
    return [{ ...notPutBack("There is no checkpoint from before its turn."), ...stamp }];
  try {
    const back = await checkpointer.exclusively(() => restore(log, checkpointer, before));
    if (!back.ok) return [{ ...notPutBack(back.error.message), ...stamp }];
    return back.files.length === 0 ? [] : [{ ...ignored(back.files), ...stamp }];
  } catch (error) {
    if (!(error instanceof CheckpointError)) throw error;
    return [{ ...notPutBack(error.message), ...stamp }];
  }
}

type Restored =
  | { readonly ok: true; readonly files: readonly string[] }
  | { readonly ok: false; readonly error: Rejection };

async function restore(log: SessionLog, { session }: Checkpointer, before: string): Promise<Restored> {
  const { checkpoints, settings } = log.deps;
  const now = await checkpoints.take(session, settings.checkpointTimeoutMs);
  if (!now) return { ok: true, files: [] };
  const after = now.commit;
  const changed = await checkpoints.compare(session, { before, after });
  const all = changed.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const files = all.filter((path) => !own.test(path));
  if (files.length === 0) return { ok: true, files };
  const some = files.length < all.length ? { paths: files } : {};
  const reverted = await checkpoints.revert(session, { before, after, now, ...some, force: true });
  return reverted.ok ? { ok: true, files } : reverted;
}

const ignored = (files: readonly string[]): EventBody => ({
  type: "notice",
  code: "OUTPUT_IGNORED",
  message: `Drover has put back what the worker changed outside ${workerPaths.folder}: ${files.slice(0, 3).join(", ")}${files.length > 3 ? ` and ${files.length - 3} more` : ""}.`,
  facts: { files: files.slice(0, maxNamed), count: files.length },
});

const notPutBack = (why: string): EventBody => ({
  type: "notice",
  code: "NOT_PUT_BACK",
  message: `Drover could not check what the worker changed outside ${workerPaths.folder}; its changes stay in its worktree. ${why}`,
  facts: {},
});
