import type { Result, Session } from "@drover/core";
import type { Drover } from "../state/drover.ts";
import type { Problem } from "../transport/wire.ts";
import { offerUndo } from "../ui/undo.ts";

/** Archives a session and offers to undo it. `onUndone` is called when it is back. */
export async function archive(
  drover: Drover,
  { id, name }: Pick<Session, "id" | "name">,
  onUndone: () => void = () => undefined,
): Promise<Result<unknown, Problem>> {
  const archived = await drover.archive(id);
  if (!archived.ok) return archived;
  offerUndo(`Archived ${name}`, async () => {
    const restored = await drover.change(id, { archived: false });
    if (restored.ok) onUndone();
    return restored;
  });
  return archived;
}
