import type { ContextEntry, EventBody, SessionState } from "@drover/core";
import type { SessionRow, SessionRuntime } from "../ports.ts";
import type { Change } from "./journal.ts";
import { lifetimeOf } from "./program-of.ts";
import type { SessionLog } from "./session-log.ts";
import { pastOf, transcript } from "./transcript.ts";
import { capabilitiesOf } from "./view.ts";

/**
 * What the agent is told before the running turn's message: what was said earlier, where its conversation does not hold
 * it, then what came with the message, and with earlier ones that went out alone.
 */
export async function contextDue(log: SessionLog): Promise<ContextEntry[]> {
  const { runtime, state } = log.journal.row;
  const until = unknownUntil(log);
  const past = until === undefined ? [] : await transcript(log, until);
  return [...past, ...Object.values(apart(runtime, state).due).flat()];
}

/** The number up to which the agent's conversation holds nothing of the session. */
function unknownUntil(log: SessionLog): number | undefined {
  const { deps, journal } = log;
  const { about, runtime } = journal.row;
  if (lifetimeOf(log) === "session") return runtime.pastUntil;
  const remembers = runtime.agentSessionId !== undefined && capabilitiesOf(deps, about).resume;
  return remembers ? undefined : pastOf(journal.row);
}

/** The prompt is with the agent, and so is what went with it. */
export function promptArrived({ runtime, state }: Pick<SessionRow, "runtime" | "state">): Change["runtime"] {
  const { prompt } = runtime;
  if (prompt?.phase !== "writing") return undefined;
  const written = { prompt: { ...prompt, phase: "written" as const } };
  if (prompt.isBare) return written;
  return { ...written, pastUntil: null, contexts: apart(runtime, state).waiting };
}

/** Without what came with messages that were dropped, or whose turn failed: whoever sends them again brings it again. */
export function contextsAfter(
  state: SessionState,
  contexts: SessionRuntime["contexts"],
  events: readonly EventBody[],
): Pick<SessionRuntime, "contexts"> {
  if (contexts === undefined) return {};
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "queue_update") for (const { messageId } of state.queue) gone.add(messageId);
    if (event.type === "done" && !event.ok && state.turn) gone.add(state.turn.messageId);
  }
  for (const event of events) {
    if (event.type === "queue_update") for (const { messageId } of event.messages) gone.delete(messageId);
    if (event.type === "turn_start") gone.delete(event.messageId);
  }
  return gone.size === 0 ? {} : { contexts: where(contexts, (messageId) => !gone.has(messageId)) };
}

type Contexts = NonNullable<SessionRuntime["contexts"]>;

function apart({ contexts = {} }: SessionRuntime, { queue }: SessionState) {
  const isQueued = (id: string) => queue.some(({ messageId }) => messageId === id);
  return { waiting: where(contexts, isQueued), due: where(contexts, (id) => !isQueued(id)) };
}

const where = (contexts: Contexts, holds: (messageId: string) => boolean): Contexts =>
  Object.fromEntries(Object.entries(contexts).filter(([messageId]) => holds(messageId)));
