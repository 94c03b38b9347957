import type { Item } from "@drover/core";
import type { Spoken } from "../ports.ts";
import type { SessionLog } from "./session-log.ts";

/** Enough for the last turns with all their tool calls; who gets it takes what fits. */
const lastItems = 200;

/** What a person and the agent said to each other in the session's last turns, the running one excepted. */
export async function transcript({ deps, journal }: SessionLog): Promise<Spoken[]> {
  const { id, about, state } = journal.row;
  const items = await deps.store.items(id, state.lastSeq + 1, lastItems);
  const spoken: Spoken[] = [];
  for (const item of items) {
    const words = item.turnId === state.turn?.id ? undefined : wordsOf(item);
    if (words === undefined) continue;
    const [from, to] = item.kind === "user" ? ["user", about.agent] : [about.agent, "user"];
    const last = spoken.at(-1);
    // One speech, though tool calls stood between its parts.
    if (last?.from === from && item.kind === "text") {
      spoken[spoken.length - 1] = { ...last, content: `${last.content}\n\n${words}` };
    } else spoken.push({ from, to, content: words });
  }
  return spoken;
}

/** A sub-agent's words are for the agent that asked it. */
const wordsOf = ({ kind, text, parentToolCallId }: Item): string | undefined =>
  (kind === "user" || kind === "text") && !parentToolCallId ? text : undefined;
