import { once } from "node:events";
import { checkConversationId, Fault, type Preset } from "@drover/core";
import type {
  AgentBatch,
  AgentConnection,
  Driver,
  DriverHost,
  OpenRequest,
  ProcessRecord,
  Prompt,
  SessionRow,
} from "../ports.ts";
import type { Change } from "./journal.ts";
import { promptArrived } from "./message-context.ts";
import { openRequest, type Requester } from "./open-request.ts";
import { lifetimeOf, programOf } from "./program-of.ts";
import { pastOf, transcript } from "./transcript.ts";

/** Whose agent is opened. */
export interface Opener extends Requester {
  record(batch: AgentBatch): Promise<void>;
  unreadable(error: unknown): void;
}

/** What a process is started with where its agent takes a prompt in no other way. */
export interface PromptStart extends Prompt {
  readonly turnId: string;
  /** Puts on record that it is on its way, right before the process starts; false when nobody wants it any more. */
  begin(): Promise<boolean>;
}

export interface OpenHow {
  /** The process is there already. */
  readonly attach?: true;
  readonly prompt?: PromptStart;
  /** Called when a new process is stored. */
  readonly spawned?: (pid: number) => void;
  /** Called when it has answered, where that is before it is open. */
  readonly connected?: (pid: number) => void;
}

/** The turn it would have been for is over. */
export const unwanted = new Fault("AGENT_UNREACHABLE", "The turn ended before its agent was started");

/** Opens a new run of the session's agent, or the process of its last run. Rejects with a Fault. */
export async function openProcess(
  session: Opener,
  { attach: isThere, prompt, spawned, connected }: OpenHow,
  signal: AbortSignal,
): Promise<AgentConnection> {
  const attach = isThere === true;
  signal.throwIfAborted();
  const { preset, driver } = programOf(session.log);
  const { deps, journal } = session.log;
  const { runtime } = journal.row;
  const run = attach ? runtime.run : runtime.run + 1;
  if (!attach) {
    if (deps.isStorageFull()) {
      await Promise.race([deps.storageAvailable(), once(signal, "abort")]);
      signal.throwIfAborted();
    }
    await commit(session, () => ({ run, process: null, pending: {} }));
  }
  const request = await openRequest(session, { preset, run, attach, prompt, signal });
  // The last moment to give up: from here on the prompt is on its way, and after a crash nobody could tell how far it got.
  signal.throwIfAborted();
  if (prompt && !(await prompt.begin())) throw unwanted;
  let isNew = !attach;
  const host: DriverHost = {
    async spawned(record, pid) {
      await store(session, record);
      if (isNew) spawned?.(pid);
      isNew = false;
    },
    ...(connected ? { connected } : {}),
    record: (batch) => session.record(batch),
    unreadable: (error) => session.unreadable(error),
  };
  let connection: AgentConnection;
  try {
    connection = await driver.open(request, host);
  } catch (error) {
    if (!(await beginsAnew(session, error, preset))) throw error;
    return openProcess(session, { ...(spawned ? { spawned } : {}), ...(connected ? { connected } : {}) }, signal);
  }
  checkConversationId(connection.agentSessionId);
  // A conversation that begins with its first turn is known once that turn has said something (`AgentBatch`).
  if (driver.lifetime(preset) === "session") {
    await commit(session, (row) => conversationOf(row, { connection, request, driver }));
  }
  return connection;
}

interface Opened {
  readonly connection: AgentConnection;
  readonly request: OpenRequest;
  readonly driver: Driver;
}

/** What is known of the conversation that an agent's process holds for the whole session. */
function conversationOf(row: SessionRow, { connection, request, driver }: Opened) {
  const { agentSessionId, resumes } = connection;
  const { agentSessionId: wanted, preset, attach } = request;
  const goesOn = wanted !== undefined && (agentSessionId ?? wanted) === wanted;
  const knowsPast = attach !== undefined || (goesOn && driver.capabilities(preset).resume);
  return {
    ...(agentSessionId === undefined ? {} : { agentSessionId }),
    ...(resumes === undefined ? {} : { resumes }),
    ...(knowsPast ? {} : { pastUntil: row.runtime.pastUntil ?? pastOf(row) }),
  };
}

/** An agent has forgotten a conversation of which the log still knows what was said: it is told in a new one. */
async function beginsAnew({ log }: Opener, error: unknown, { name }: Preset): Promise<boolean> {
  if (!(error instanceof Fault) || error.code !== "RESUME_UNKNOWN") return false;
  if ((await transcript(log, pastOf(log.journal.row))).length === 0) return false;
  const { turn } = log.journal.state;
  const notice = {
    type: "notice" as const,
    ...(turn ? { turnId: turn.id } : {}),
    code: "CONTEXT_LOST",
    message: `${name} does not know this conversation any more; it begins a new one and is given what was said last`,
    facts: {},
  };
  const change = { events: [notice], runtime: { agentSessionId: null }, durability: "output" as const };
  await log.untilStored(() => log.commit(change));
  return true;
}

/** The process, and with one that was started with its prompt, that the prompt has arrived. */
async function store(session: Opener, record: ProcessRecord): Promise<void> {
  await commit(session, (row) => {
    const hasPrompt = record.ready && lifetimeOf(session.log) === "prompt";
    return { process: record, ...(hasPrompt ? promptArrived(row) : {}) };
  });
}

/**
 * A process is a fact: a store without room is waited for, and the start with it. Nothing follows from it that a
 * reaction would have to begin.
 */
function commit(
  { log }: Opener,
  next: (row: SessionRow) => NonNullable<Change["runtime"]>,
): Promise<unknown> {
  const { journal } = log;
  return log.untilStored(() => journal.commit({ runtime: next(journal.row), durability: "output" }));
}
