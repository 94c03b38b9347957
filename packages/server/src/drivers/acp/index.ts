import type { AgentAnswer, Capabilities, OpenToolCall } from "@drover/core";
import type { AgentConnection, Driver, DriverHost, OpenRequest } from "../../ports.ts";
import { type AgentProcess, attachAgentProcess, startAgentProcess } from "../../process/agent-process.ts";
import { isRecord, type Json } from "../json.ts";
import { OpenRequests } from "../open-requests.ts";
import { refuseOversize } from "../preface.ts";
import { withStderr } from "../process-connection.ts";
import { spawnFault } from "../spawn-fault.ts";
import { asker } from "./asker.ts";
import { AcpConnection } from "./connection.ts";
import { elicitationResponse } from "./elicitation.ts";
import { type Conversation, hasSystemPrompt, opensConversation, shakeHands } from "./handshake.ts";
import { UpdateMapper } from "./map.ts";
import { OwnModes } from "./mode.ts";
import { permissionResponse } from "./permission.ts";
import { Reader } from "./reader.ts";
import { loadSdk, openWire, type Sdk } from "./wire.ts";

export interface AcpDriverDeps {
  /** Drover's own version, sent to agents. */
  readonly version: string;
  readonly now?: () => number;
}

const capabilities: Omit<Capabilities, "systemText"> = {
  approvals: "live",
  amend: false,
  denyReason: false,
  steer: false,
  // Until the agent has said otherwise.
  images: true,
  resume: true,
  fork: false,
  freshContext: false,
  reattach: true,
  heldByMode: true,
  completion: "event",
};

/** Agents that speak version 1 of the Agent Client Protocol: one process and one conversation per session. */
export function acpDriver(deps: AcpDriverDeps): Driver {
  return {
    name: "acp",
    lifetime: () => "session",
    capabilities: (preset) => ({
      ...capabilities,
      systemText: hasSystemPrompt(preset) ? "system" : "prompt",
    }),
    lacks: ({ trust, account }) => [
      "conversations",
      ...(trust ? [] : (["distrust"] as const)),
      ...(account ? [] : (["accounts"] as const)),
    ],
    refusesPrompt: refuseOversize,
    open: (request, host) =>
      request.attach ? attach({ request, host, deps }, request.attach) : start({ request, host, deps }),
  };
}

interface Opening {
  readonly request: OpenRequest;
  readonly host: DriverHost;
  readonly deps: AcpDriverDeps;
}

async function attach(
  opening: Opening,
  { process: record, pending, calls = [] }: NonNullable<OpenRequest["attach"]>,
): Promise<AgentConnection> {
  const { directory } = opening.request;
  const { pid, startTime, bootId, position } = record;
  const conversation = conversationOf(record.memo);
  const identity = { pid, startTime, bootId };
  const sdk = await loadSdk();
  const process = await attachAgentProcess({ identity, directory, offset: position, input: "fifo" });
  const { connection, requests, wire } = connect(opening, { sdk, process, conversation, calls });
  connection.converse(conversation);
  for (const [requestKey, { raw }] of Object.entries(pending)) {
    if (!isRecord(raw)) continue;
    requests.add({ requestKey, message: raw });
    wire.accept(raw);
  }
  connection.listenAgain();
  return connection;
}

async function start(opening: Opening): Promise<AgentConnection> {
  const { request, host, deps } = opening;
  const sdk = await loadSdk();
  const process = await spawn(request);
  const { connection, ask } = connect(opening, { sdk, process });
  try {
    const registered = connection.register();
    connection.listen();
    await registered;
    const now = deps.now ?? Date.now;
    const connected = () => host.connected?.(process.pid);
    const { conversation, models, notices } = await shakeHands({
      request,
      version: deps.version,
      ask,
      connected,
      now,
    });
    connection.converse(conversation, models);
    await connection.note(notices);
    await connection.setPermissionMode(request.permissionMode);
    if (request.model) await connection.setModel(request.model);
    else await connection.recordModel();
    await connection.register();
    return connection;
  } catch (error) {
    throw withStderr(error, await connection.abandon());
  }
}

async function spawn({ preset, cwd, env, directory }: OpenRequest): Promise<AgentProcess> {
  const { command, args, name } = preset;
  try {
    return await startAgentProcess({ command, args, cwd, env, directory, input: "fifo" });
  } catch (error) {
    throw spawnFault(error, { name, command, cwd });
  }
}

interface Running {
  readonly sdk: Sdk;
  readonly process: AgentProcess;
  /** For a process that was started earlier. */
  readonly conversation?: Conversation;
  readonly calls?: readonly OpenToolCall[];
}

/** Assembles the parts around a process. Does not read yet. */
function connect({ request, host, deps }: Opening, { sdk, process, conversation, calls = [] }: Running) {
  const { name } = request.preset;
  const isUnderWay = conversation !== undefined;
  const requests = new OpenRequests({ response: responseTo, takenBack: { type: "cancelled" } });
  const wire = openWire(sdk, {
    epoch: request.epoch,
    write: (line) => process.write(line),
    respond: (requestKey, signal) => requests.respond(requestKey, signal),
    onResponse: (requestKey, written) => requests.sent(requestKey, written),
  });
  const modes = new OwnModes(request.preset.ownModes, conversation?.mode);
  const mapper = new UpdateMapper({ isUnderWay, calls, model: conversation?.model?.current, modes });
  const reader = new Reader({
    mapper,
    name,
    opensConversation: (id) => opensConversation(wire.methodOf(id)),
    isOpen: isUnderWay,
    authMethods: () => connection.authMethods,
    now: deps.now ?? Date.now,
  });
  const ask = asker({ request, process, wire });
  const { sessionId, stopGraceMs, system, instructions } = request;
  const { position } = process;
  const parts = {
    sessionId,
    name,
    stopGraceMs,
    process,
    host,
    wire,
    reader,
    mapper,
    requests,
    position,
    ask,
    systemText: { system, instructions },
  };
  const connection = new AcpConnection(parts);
  return { connection, requests, wire, ask };
}

const responseTo = ({ method, params }: Json, answer: AgentAnswer): unknown =>
  method === "elicitation/create" ? elicitationResponse(params, answer) : permissionResponse(params, answer);

/** The memo as it was at the end of the handshake. */
function conversationOf(memo: unknown): Conversation {
  if (!isRecord(memo) || typeof memo["agentSessionId"] !== "string") {
    throw new Error("This process was stored without its conversation");
  }
  return memo as unknown as Conversation;
}
