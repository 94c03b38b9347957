import type { SessionRow, WorkspaceNotice } from "../../ports.ts";
import type { EngineContext } from "../context.ts";

/**
 * A notice if other sessions are in the middle of a turn where a new one is going to work. Those that only have an idle
 * agent don't count: people often start one session after another in the same directory.
 */
export async function sharedDirectory(
  { deps, registry }: EngineContext,
  { cwd }: SessionRow,
): Promise<WorkspaceNotice[]> {
  const ids = await deps.store.sessionsIn(cwd);
  const rows = await Promise.all(ids.map((id) => registry.row(id)));
  const others = rows.flatMap((row) => (row?.state.turn && row.cwd === cwd ? [row] : []));
  const names = others.map(({ name }) => name);
  if (names.length === 0) return [];
  const who = names.length === 1 ? `The session ${names[0]} works` : `The sessions ${names.join(", ")} work`;
  const message = `${who} in this directory, too, so they can overwrite each other's files. A session with workspace "worktree" gets its own.`;
  return [
    { code: "SHARED_DIRECTORY", message, facts: { sessions: others.map(({ id, name }) => ({ id, name })) } },
  ];
}
