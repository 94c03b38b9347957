import type { Staged } from "./support.ts";

/** How a session's mode treats a request: it runs, or a person is asked. */
export async function treat(
  staged: Staged,
  request: Record<string, unknown>,
  cwd?: string,
): Promise<"runs" | "asks"> {
  const { id } = await staged.create(cwd);
  await staged.send(id, JSON.stringify(request));
  const settled = await staged.when(id, ({ turn, openInteractions }) => !turn || openInteractions === 1);
  return settled.turn ? "asks" : "runs";
}
