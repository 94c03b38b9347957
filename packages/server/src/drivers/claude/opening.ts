import { randomUUID } from "node:crypto";
import type { AgentConnection, DriverHost, OpenRequest } from "../../ports.ts";
import { type AgentProcess, attachAgentProcess, startAgentProcess } from "../../process/agent-process.ts";
import { isRecord, record } from "../json.ts";
import { withStderr } from "../process-connection.ts";
import { ClaudeConnection, type Memo } from "./connection.ts";
import { type Conversation, converse } from "./conversation.ts";
import { claudeSpawnFault } from "./faults.ts";
import { shakeHands } from "./handshake.ts";
import { steerUuid } from "./options.ts";
import { loadSdk, resolveClaudeCliPath } from "./sdk.ts";

export interface ClaudeDriverDeps {
  /** Where to look for the SDK, in order: the node_modules of each directory and of its parents. */
  readonly sdkDirectories: readonly string[];
  readonly now?: () => number;
  /** Called when a process has ended, with the unknown kinds of messages and their counts. */
  readonly onUnknown?: (counts: Readonly<Record<string, number>>) => void;
}

interface Opening {
  readonly request: OpenRequest;
  readonly host: DriverHost;
  readonly deps: ClaudeDriverDeps;
}

/** Starts the process for the next turn. */
export async function start(opening: Opening): Promise<AgentConnection> {
  const { request, deps } = opening;
  const { preset, cwd, env } = request;
  const memo: Memo = { agentSessionId: request.agentSessionId ?? randomUUID() };
  const installed = loadSdk(deps.sdkDirectories, preset.name);
  const cli = await resolveClaudeCliPath({ ...installed, command: preset.command, cwd, env });
  const conversation = converse({ request, installed, cli, ...memo });
  const process = await spawn(conversation, request).catch((error: unknown) => {
    conversation.bridge.release();
    conversation.query.close();
    throw claudeSpawnFault(error, { name: preset.name, cwd });
  });
  const connection = connect(opening, { conversation, process, memo, position: 0 });
  try {
    const registered = connection.register({ isReady: false });
    connection.listen();
    await registered;
    conversation.bridge.connect((line) => process.write(line));
    await connection.note(await shakeHands({ request, conversation, process, now: deps.now ?? Date.now }));
    await connection.register({ isReady: true });
    return connection;
  } catch (error) {
    throw withStderr(error, await connection.abandon());
  }
}

/**
 * Attaches a second SDK to the same process: the agent accepts its handshake and reports its pending requests. Nothing
 * is awaited, since the process may be gone with only its last output left to record.
 */
export async function attach(
  opening: Opening,
  { process: stored, pending, steered = [] }: NonNullable<OpenRequest["attach"]>,
): Promise<AgentConnection> {
  const { request, deps } = opening;
  const { preset, directory } = request;
  const { pid, startTime, bootId, position } = stored;
  const memo = memoOf(stored.memo);
  const installed = loadSdk(deps.sdkDirectories, preset.name);
  const conversation = converse({ request, installed, cli: preset.command, ...memo });
  const { state, requests, bridge } = conversation;
  if (memo.turn) state.beginTurn(memo.turn);
  for (const messageId of steered) state.unanswered.add(steerUuid(messageId));
  for (const [requestKey, { raw }] of Object.entries(pending)) {
    if (isRecord(raw)) requests.add({ requestKey, message: raw });
  }
  const identity = { pid, startTime, bootId };
  const process = await attachAgentProcess({ identity, directory, offset: position, input: "fifo" });
  const connection = connect(opening, { conversation, process, memo, position });
  connection.listenAgain();
  bridge.connect((line) => process.write(line));
  return connection;
}

function spawn({ bridge }: Conversation, { preset, cwd, directory }: OpenRequest): Promise<AgentProcess> {
  const { command, args, env } = bridge.wanted;
  const variables = Object.entries(env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return startAgentProcess({
    command,
    args: [...args, ...preset.args],
    cwd,
    env: Object.fromEntries(variables),
    directory,
    input: "fifo",
  });
}

interface Running {
  readonly conversation: Conversation;
  readonly process: AgentProcess;
  readonly memo: Memo;
  readonly position: number;
}

/** Assembles the parts around a process. Does not read yet. */
function connect({ request, host, deps }: Opening, { conversation, ...running }: Running): ClaudeConnection {
  const { sessionId, stopGraceMs, preset } = request;
  return new ClaudeConnection({
    ...running,
    ...conversation,
    sessionId,
    stopGraceMs,
    name: preset.name,
    host,
    now: deps.now ?? Date.now,
    onUnknown: deps.onUnknown,
  });
}

/** The memo as it was when the process was stored. */
function memoOf(memo: unknown): Memo {
  const { agentSessionId, turn } = record(memo);
  if (typeof agentSessionId !== "string") throw new Error("This process was stored without its conversation");
  const { id, uuid } = record(turn);
  return typeof id === "string" && typeof uuid === "string"
    ? { agentSessionId, turn: { id, uuid } }
    : { agentSessionId };
}
