import { once } from "node:events";
import { checkConversationId, Fault } from "@drover/core";
import type {
  AgentBatch,
  AgentConnection,
  DriverHost,
  ProcessRecord,
  Prompt,
  SessionRow,
} from "../../ports.ts";
import type { Change } from "../session/journal.ts";
import { promptArrived } from "../turn/message-context.ts";
import { conversationChange, isLost } from "./open-conversation.ts";
import { openRequest, type Requester } from "./open-request.ts";
import { lifetimeOf, programOf } from "./program-of.ts";

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
  /** Why the session's conversation could not be loaded: this is a new one. */
  readonly lost?: Fault;
}

/** The turn it would have been for is over. */
export const unwanted = new Fault("AGENT_UNREACHABLE", "The turn ended before its agent was started");

/** Opens a new run of the session's agent, or the process of its last run. Rejects with a Fault. */
export async function openProcess(
  session: Opener,
  how: OpenHow,
  signal: AbortSignal,
): Promise<AgentConnection> {
  const { attach: isThere, prompt, spawned, connected, lost } = how;
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
  const request = await openRequest(session, {
    preset,
    run,
    attach,
    prompt,
    isAnew: lost !== undefined,
    signal,
  });
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
    if (lost !== undefined || !(await isLost(session.log, error))) throw error;
    return openProcess(session, { ...how, lost: error as Fault }, signal);
  }
  checkConversationId(connection.agentSessionId);
  await session.log.untilStored(async () => {
    const change = conversationChange(journal.row, { connection, request, driver, lost });
    if (change) await session.log.commit(change);
  });
  return connection;
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
  return log.untilStored(() => journal.append({ runtime: next(journal.row), durability: "output" }));
}
