import { Fault } from "@drover/core";
import type { AgentConnection, Driver, OpenRequest, SessionRow } from "../../ports.ts";
import { pastOf, transcript } from "../conversations/transcript.ts";
import type { Change } from "../session/journal.ts";
import type { SessionLog } from "../session/log.ts";

interface Opened {
  readonly connection: AgentConnection;
  readonly request: OpenRequest;
  readonly driver: Driver;
  /** Why the session's conversation could not be loaded. */
  readonly lost: Fault | undefined;
}

/** Records the conversation of an open connection, with a notice if the agent had to start a new one. */
export function conversationChange(row: SessionRow, opened: Opened): Change | undefined {
  const { driver, request, lost } = opened;
  const isHeld = driver.lifetime(request.preset) === "session";
  if (!isHeld && !lost) return undefined;
  const runtime = {
    ...(lost ? { agentSessionId: null } : {}),
    // A conversation that starts with its first turn becomes known with that turn's output (`AgentBatch`).
    ...(isHeld ? heldConversation(row, opened) : {}),
  };
  const events = lost ? [contextLost(row, request, lost)] : [];
  return { events, runtime, durability: "output" };
}

/** The conversation of a process that serves the whole session. */
function heldConversation(row: SessionRow, { connection, request, driver }: Opened) {
  const { agentSessionId, resumes, images } = connection;
  const { agentSessionId: wanted, preset, attach } = request;
  const goesOn = wanted !== undefined && (agentSessionId ?? wanted) === wanted;
  const knowsPast = attach !== undefined || (goesOn && driver.capabilities(preset).resume);
  return {
    ...(agentSessionId === undefined ? {} : { agentSessionId }),
    ...(resumes === undefined ? {} : { resumes }),
    ...(images === undefined ? {} : { images }),
    ...(knowsPast ? {} : { pastUntil: row.runtime.pastUntil ?? pastOf(row) }),
  };
}

const contextLost = ({ state }: SessionRow, { preset }: OpenRequest, { message, facts }: Fault) => ({
  type: "notice" as const,
  ...(state.turn ? { turnId: state.turn.id } : {}),
  code: "CONTEXT_LOST",
  message: `${preset.name} could not resume its conversation; it starts a new one with the last messages of this one`,
  facts: { reason: facts["reason"] ?? message },
});

/** The agent could not load its conversation, and the log has a transcript that can be replayed into a new one. */
export async function isReplayable(log: SessionLog, error: unknown): Promise<boolean> {
  if (!(error instanceof Fault) || error.code !== "RESUME_UNKNOWN") return false;
  return (await transcript(log, pastOf(log.journal.row))).length > 0;
}
