import type { ContextEntry, SessionState } from "@drover/core";
import type { SessionRow, SessionRuntime } from "../../ports.ts";
import { lifetimeOf } from "../agent/program-of.ts";
import { pastOf, transcript } from "../conversations/transcript.ts";
import type { Change } from "../session/journal.ts";
import type { SessionLog } from "../session/log.ts";
import { capabilitiesOf } from "../session/view.ts";

/**
 * What the agent gets before the running turn's message: the earlier transcript if its conversation does not hold
 * it, then the context of the message, and of earlier ones that were delivered without it.
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

/** The agent has received the prompt and its context. */
export function promptArrived({ runtime, state }: Pick<SessionRow, "runtime" | "state">): Change["runtime"] {
  const { attempt } = runtime;
  if (attempt?.prompt.phase !== "writing") return undefined;
  const written = { attempt: { ...attempt, prompt: { ...attempt.prompt, phase: "written" as const } } };
  if (attempt.prompt.isBare) return written;
  return { ...written, pastUntil: null, contexts: apart(runtime, state).waiting };
}

type Contexts = NonNullable<SessionRuntime["contexts"]>;

function apart({ contexts = {} }: SessionRuntime, { queue }: SessionState) {
  const isQueued = (id: string) => queue.some(({ messageId }) => messageId === id);
  return { waiting: where(contexts, isQueued), due: where(contexts, (id) => !isQueued(id)) };
}

const where = (contexts: Contexts, holds: (messageId: string) => boolean): Contexts =>
  Object.fromEntries(Object.entries(contexts).filter(([messageId]) => holds(messageId)));
