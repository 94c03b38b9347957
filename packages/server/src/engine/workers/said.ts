import type { Attempt, Item } from "@drover/core";
import type { SessionLog } from "../session/log.ts";

/** A signal is at the end of what an agent says: in the last texts of its attempt. */
const lastItems = 50;

/** The last text that the agent itself wrote in an attempt; empty if there is none. */
export async function saidIn({ deps, journal }: SessionLog, { prompt }: Attempt): Promise<string> {
  const { row, timeline } = journal;
  const closed = await deps.store.items(row.id, row.state.lastSeq + 1, lastItems);
  const open = Object.values(timeline.open).map(({ item }) => item);
  const isSaid = ({ kind, seq, parentToolCallId }: Item) =>
    kind === "text" && seq > prompt.seq && !parentToolCallId;
  const texts = [...closed, ...open].filter(isSaid).sort((a, b) => a.seq - b.seq);
  return texts.map(({ text = "" }) => text).join("\n");
}
