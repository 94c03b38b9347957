import { once } from "node:events";
import { checkConversationId, Fault } from "@drover/core";
import type { AgentBatch, AgentConnection, Driver, ProcessRecord, SessionRuntime } from "../ports.ts";
import type { Change } from "./journal.ts";
import { openRequest, type Requester } from "./open-request.ts";

/** Whose agent is opened. */
export interface Opener extends Requester {
  record(batch: AgentBatch): Promise<void>;
  unreadable(error: unknown): void;
}

/** What a process is started with where its agent takes a prompt in no other way. */
export interface PromptStart {
  readonly turnId: string;
  readonly content: string;
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
  const { preset, driver } = programOf(session);
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
  const connection = await driver.open(request, {
    async spawned(record, pid) {
      await store(session, record);
      if (isNew) spawned?.(pid);
      isNew = false;
    },
    ...(connected ? { connected } : {}),
    record: (batch) => session.record(batch),
    unreadable: (error) => session.unreadable(error),
  });
  // A conversation that begins with its first turn is known once that turn has said something (`AgentBatch`).
  const { agentSessionId } = connection;
  checkConversationId(agentSessionId);
  if (driver.lifetime(preset) === "session" && agentSessionId !== undefined) {
    await commit(session, () => ({ agentSessionId }));
  }
  return connection;
}

/** How long a process of this session's agent lives. */
export function lifetimeOf(session: Opener): ReturnType<Driver["lifetime"]> {
  const { preset, driver } = configured(session);
  return (preset && driver?.lifetime(preset)) ?? "session";
}

/** The process, and with one that was started with its prompt, that the prompt has arrived. */
async function store(session: Opener, record: ProcessRecord): Promise<void> {
  await commit(session, ({ prompt }) => {
    const hasPrompt = record.ready && lifetimeOf(session) === "prompt" && prompt?.phase === "writing";
    const arrived = hasPrompt ? { prompt: { ...prompt, phase: "written" as const } } : {};
    return { process: record, ...arrived };
  });
}

/**
 * A process is a fact: a store without room is waited for, and the start with it. Nothing follows from it that a
 * reaction would have to begin.
 */
function commit(
  { log }: Opener,
  next: (runtime: SessionRuntime) => NonNullable<Change["runtime"]>,
): Promise<unknown> {
  const { journal } = log;
  return log.untilStored(() => journal.commit({ runtime: next(journal.row.runtime), durability: "output" }));
}

function configured({ log: { deps, journal } }: Opener) {
  const { agent, driver } = journal.row.about;
  return { agent, preset: deps.presets.get(agent), driver: deps.drivers[driver] };
}

function programOf(session: Opener) {
  const { agent, preset, driver } = configured(session);
  if (!preset || !driver) {
    throw new Fault(
      "AGENT_MISSING",
      `The agent ${agent} is no longer configured; add it to drover.yaml again.`,
    );
  }
  return { preset, driver };
}
