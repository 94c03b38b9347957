import type { ContextEntry, Item } from "@drover/core";
import type { SessionRow } from "../../ports.ts";
import type { SessionLog } from "../session/log.ts";

/** Enough for the last turns with all their tool calls; the receiver takes what fits. */
const lastItems = 200;

/** The end of the turns before the running one. */
export const pastOf = ({ runtime, state }: SessionRow): number =>
  runtime.attempt === undefined ? state.lastSeq : runtime.attempt.prompt.seq - 1;

/** The messages between a person and the agent up to a number. */
export async function transcript({ deps, journal }: SessionLog, until: number): Promise<ContextEntry[]> {
  const { id, about } = journal.row;
  const items = await deps.store.items(id, until + 1, lastItems);
  const spoken: ContextEntry[] = [];
  for (const item of items) {
    const words = wordsOf(item);
    if (words === undefined) continue;
    const [from, to] = item.kind === "user" ? ["user", about.agent] : [about.agent, "user"];
    const last = spoken.at(-1);
    // One speech, even with tool calls between its parts.
    if (last?.from === from && item.kind === "text") {
      spoken[spoken.length - 1] = { ...last, content: `${last.content}\n\n${words}` };
    } else spoken.push({ from, to, content: words });
  }
  return spoken;
}

/** A sub-agent's text is for the agent that called it. */
const wordsOf = ({ kind, text, parentToolCallId }: Item): string | undefined =>
  (kind === "user" || kind === "text") && !parentToolCallId ? text : undefined;
