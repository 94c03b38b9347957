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
import { redacted } from "../accounts/own-words.ts";
import type { EngineDeps } from "../deps.ts";
import type { Change } from "../session/journal.ts";
import { promptArrived } from "../turn/message-context.ts";
import { conversationChange, isReplayable } from "./open-conversation.ts";
import { openRequest, type Requester } from "./open-request.ts";
import { lifetimeOf, programOf } from "./program-of.ts";

/** The session whose agent is opened. */
export interface Opener extends Requester {
  record(batch: AgentBatch): Promise<void>;
  unreadable(error: unknown): void;
}

/** The prompt of an agent that takes it only when it starts. */
export interface PromptStart extends Prompt {
  readonly turnId: string;
  readonly isGated: boolean;
  /** Records that the prompt is being written, right before the process starts; false if its turn has ended. */
  begin(): Promise<boolean>;
}

export interface OpenHow {
  /** The process already exists. */
  readonly attach?: true;
  readonly prompt?: PromptStart;
  /** Called when a new process is stored. */
  readonly spawned?: (pid: number) => void;
  /** Called when the agent has answered, if that is before its conversation is open. */
  readonly connected?: (pid: number) => void;
  /** Why the session's conversation could not be loaded: the agent starts a new one. */
  readonly lost?: Fault;
}

/** A start that is no longer needed. */
export const turnEndedFirst = new Fault("AGENT_UNREACHABLE", "The turn ended before its agent was started");

/** Opens a new run of the session's agent, or the process of its last run. Rejects with a Fault. */
export async function openProcess(
  session: Opener,
  how: OpenHow,
  signal: AbortSignal,
): Promise<AgentConnection> {
  const { attach = false, prompt, spawned, connected, lost } = how;
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
    isGated: prompt?.isGated === true,
    beginsConversation: lost !== undefined,
    signal,
  });
  // The last chance to abort: after a crash beyond this point it is unknown how much of the prompt arrived.
  signal.throwIfAborted();
  if (prompt && !(await prompt.begin())) throw turnEndedFirst;
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
    if (lost !== undefined || !(await isReplayable(session.log, error))) throw cleaned(error, deps);
    return openProcess(session, { ...how, lost: error as Fault }, signal);
  }
  checkConversationId(connection.agentSessionId);
  await session.log.untilStored(async () => {
    const change = conversationChange(journal.row, { connection, request, driver, lost });
    if (change) await session.log.commit(change);
  });
  return connection;
}

/** An agent that fails to start may quote its login. */
function cleaned(error: unknown, { secrets }: EngineDeps): unknown {
  if (!(error instanceof Fault)) return error;
  const { code, message, retry, facts } = error;
  const clean = redacted({ message, facts }, secrets.redact) as Pick<Fault, "message" | "facts">;
  return new Fault(code, clean.message, { retry, facts: { ...clean.facts } });
}

/** Records the process; one that was started with its prompt has received it. */
async function store(session: Opener, record: ProcessRecord): Promise<void> {
  await commit(session, (row) => {
    const hasPrompt = record.ready && lifetimeOf(session.log) === "prompt";
    return { process: record, ...(hasPrompt ? promptArrived(row) : {}) };
  });
}

/** A process exists whether or not there is room to store it, so the start waits for the store. */
function commit(
  { log }: Opener,
  next: (row: SessionRow) => NonNullable<Change["runtime"]>,
): Promise<unknown> {
  const { journal } = log;
  return log.untilStored(() => journal.append({ runtime: next(journal.row), durability: "output" }));
}
