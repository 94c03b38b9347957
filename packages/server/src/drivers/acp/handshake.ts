import type { InitializeRequest, McpServer } from "@agentclientprotocol/sdk";
import {
  type AgentFact,
  type AuthMethod,
  Fault,
  type ModelOffer,
  type Preset,
  trustExtra,
} from "@drover/core";
import type { OpenRequest } from "../../ports.ts";
import { isRecord, type Json, record, text } from "../json.ts";
import type { Preface } from "../preface.ts";
import { systemAppend } from "../system-text.ts";
import { couldNotConnect } from "./asker.ts";
import { authMethodsOf, faultOf, messageOf, wordsOf } from "./faults.ts";
import { type ModeChoice, modesOf } from "./mode.ts";
import { type ModelChoice, modelOf, offeredModels } from "./model.ts";

/** What another server needs to continue a conversation; stored with the process. */
export interface Conversation {
  readonly agentSessionId: string;
  readonly model?: ModelChoice | undefined;
  readonly mode?: ModeChoice | undefined;
  /** The login methods the agent offers, for a turn that fails because it is not logged in. */
  readonly authMethods?: readonly AuthMethod[] | undefined;
  /** The agent can load or resume it in another process. */
  readonly resumes?: boolean;
  /** The agent takes images. */
  readonly images?: boolean;
  /** The agent takes text files apart from the message. */
  readonly embedsFiles?: boolean;
  /** Text that still has to be sent with a prompt. */
  readonly preface?: Preface | undefined;
}

export interface Handshake {
  readonly conversation: Conversation;
  readonly models: readonly ModelOffer[];
  /** Notices for people about how the conversation was opened. */
  readonly notices: readonly AgentFact[];
}

export interface HandshakeContext {
  readonly request: OpenRequest;
  readonly version: string;
  /** Sends one request. Rejects with the agent's error, or with a Fault when the agent ends or takes too long. */
  readonly ask: (method: string, params: unknown) => Promise<unknown>;
  /** `initialize` succeeded. */
  readonly connected: () => void;
  readonly now: () => number;
}

/** `initialize`, then the conversation: the requested one or a new one. Rejects with a Fault. */
export async function shakeHands(context: HandshakeContext): Promise<Handshake> {
  const { request, ask } = context;
  const hello: InitializeRequest = {
    protocolVersion: PROTOCOL_VERSION,
    clientInfo: { name: "drover", title: "Drover", version: context.version },
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      elicitation: { form: {} },
      session: { compaction: {} },
    },
  };
  const answer = record(await ask("initialize", hello).catch(unreachable(request.preset.name)));
  const { protocolVersion } = answer;
  if (protocolVersion !== PROTOCOL_VERSION) {
    const reason = `it speaks version ${versionWords(protocolVersion)} of the Agent Client Protocol, Drover speaks ${PROTOCOL_VERSION}`;
    throw couldNotConnect(request.preset.name, { reason, protocolVersion });
  }
  context.connected();
  return openConversation(answer, context);
}

const versionWords = (version: unknown): string =>
  wordsOf(version === undefined ? "?" : (JSON.stringify(version) ?? "?"), 40);

const PROTOCOL_VERSION = 1;

async function openConversation(hello: Json, { request, ask, now }: HandshakeContext): Promise<Handshake> {
  const { agentSessionId, preset } = request;
  const capabilities = record(hello["agentCapabilities"]);
  const takes = record(capabilities["promptCapabilities"]);
  const authMethods = authMethodsOf(hello);
  const known = agentSessionId === undefined ? undefined : { sessionId: agentSessionId };
  const method = resumeMethod(capabilities);
  const resume = known && method;
  const { servers, notices } = mcpServers(request, capabilities);
  const meta = metaOf(request);
  const params = {
    cwd: request.cwd,
    mcpServers: servers,
    ...(Object.keys(meta).length === 0 ? {} : { _meta: meta }),
    ...(resume ? known : {}),
  };
  const answer = await ask(resume ?? "session/new", params).catch((error: unknown) => {
    const isLoad = resume !== undefined;
    throw conversationFault(error, { name: preset.name, now: now(), authMethods, isLoad });
  });
  const sessionId = resume ? agentSessionId : text(record(answer)["sessionId"]);
  if (!sessionId) throw new Fault("AGENT_PROTOCOL", `${preset.name} started a conversation without an id`);
  const model = modelOf(answer);
  const mode = modesOf(answer);
  const preface = prefaceOf(request);
  return {
    conversation: {
      agentSessionId: sessionId,
      resumes: method !== undefined,
      images: takes["image"] === true,
      embedsFiles: takes["embeddedContext"] === true,
      ...(model ? { model } : {}),
      ...(mode ? { mode } : {}),
      ...(preface ? { preface } : {}),
      ...(authMethods.length > 0 ? { authMethods } : {}),
    },
    models: offeredModels(answer),
    notices: known && !resume ? [...notices, contextLost(preset.name)] : notices,
  };
}

/** Whether the agent accepts system text when it opens a conversation. */
export const hasSystemPrompt = ({ systemVia }: Preset): boolean => systemVia === "meta";

const prefaceOf = ({ preset, context }: OpenRequest): Preface | undefined =>
  hasSystemPrompt(preset) ? undefined : { context, hasSystemText: true };

/** Everything ACP has no field for. */
function metaOf(request: OpenRequest): Json {
  const append = hasSystemPrompt(request.preset) ? systemAppend(request) : "";
  return {
    ...trustExtra(request.preset, request.trusted ?? false).meta,
    ...(append === "" ? {} : { systemPrompt: { append } }),
  };
}

function resumeMethod(capabilities: Json): "session/load" | "session/resume" | undefined {
  if (capabilities["loadSession"] === true) return "session/load";
  return isRecord(record(capabilities["sessionCapabilities"])["resume"]) ? "session/resume" : undefined;
}

/** Whether the response to this method opens the conversation: updates before it are its history. */
export const opensConversation = (method: string | undefined): boolean =>
  method === "session/new" || method === "session/load" || method === "session/resume";

function mcpServers(
  { mcpServers: wanted, preset }: OpenRequest,
  capabilities: Json,
): { servers: McpServer[]; notices: AgentFact[] } {
  const servers: McpServer[] = [];
  const notices: AgentFact[] = [];
  for (const [name, server] of Object.entries(wanted)) {
    if ("command" in server) {
      servers.push({ name, command: server.command, args: server.args ?? [], env: pairs(server.env) });
    } else if (record(capabilities["mcpCapabilities"])["http"] === true) {
      servers.push({ type: "http", name, url: server.url, headers: pairs(server.headers) });
    } else {
      const message = `${preset.name} cannot use MCP servers over HTTP; it continues without "${name}"`;
      notices.push({ type: "notice", code: "MCP_UNSUPPORTED", message, facts: { server: name } });
    }
  }
  return { servers, notices };
}

const pairs = (values: Readonly<Record<string, string>> = {}): { name: string; value: string }[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const contextLost = (name: string): AgentFact => ({
  type: "notice",
  code: "CONTEXT_LOST",
  message: `${name} cannot load earlier conversations; it starts a new one with the last messages of this one`,
  facts: {},
});

/** Every failure of `initialize` gets the same message; the agent's own message becomes a fact. */
const unreachable =
  (name: string) =>
  (error: unknown): never => {
    if (error instanceof Fault) throw error;
    throw couldNotConnect(name, { reason: messageOf(record(error)) });
  };

interface Beginning {
  readonly name: string;
  readonly now: number;
  readonly authMethods: readonly AuthMethod[];
  readonly isLoad: boolean;
}

function conversationFault(error: unknown, { name, isLoad, ...context }: Beginning): Fault {
  if (error instanceof Fault) return error;
  const fault = faultOf(record(error), context);
  const { retry } = fault;
  const facts = { ...fault.facts, reason: messageOf(record(error)) };
  switch (fault.code) {
    case "AUTH_FAILED":
      return new Fault(
        "AUTH_FAILED",
        `${name} is not logged in. Log in with its own program, then send the message again.`,
        { retry, facts },
      );
    case "RESUME_UNKNOWN":
      return new Fault(
        "RESUME_UNKNOWN",
        `${name} no longer knows this conversation. Your next message starts a new one with the last messages of this one.`,
        { retry, facts },
      );
    case "MODEL_ERROR":
      // Some agents have no error code for a conversation that no longer exists (codex-acp 2.6, gemini 0.61).
      if (isLoad) {
        return new Fault(
          "RESUME_UNKNOWN",
          `${name} could not load this conversation: ${fault.message}. Your next message starts a new one with the last messages of this one.`,
          { retry, facts },
        );
      }
      return new Fault("AGENT_UNREACHABLE", `${name} could not start a conversation: ${fault.message}`, {
        retry,
        facts: fault.facts,
      });
    default:
      return fault;
  }
}
