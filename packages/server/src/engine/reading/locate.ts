import { ok } from "@drover/core";
import type { Answer } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { notFound } from "../not-found.ts";

/** A session whose log can be read: an existing one by id or name, a deleted one by its id. */
export async function locateSession(
  { registry, deps }: EngineContext,
  idOrName: string,
): Answer<{ id: string; lastSeq: number }> {
  const row = await registry.row(idOrName);
  if (row) return ok({ id: row.id, lastSeq: row.state.lastSeq });
  const lastSeq = await deps.store.lastSeq(idOrName);
  return lastSeq > 0 ? ok({ id: idOrName, lastSeq }) : notFound("session", idOrName);
}
