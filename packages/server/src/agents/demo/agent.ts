import {
  type AgentApp,
  type AgentContext,
  agent,
  type ContentBlock,
  methods,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
} from "@agentclientprotocol/sdk";
import { checkLimit } from "./limits.ts";
import { partsOf } from "./parts.ts";
import { perform } from "./perform.ts";
import { commands, parseScript } from "./script.ts";
import { type Session, type SessionRecord, Sessions } from "./sessions.ts";
import { clip, countWords } from "./text.ts";
import { Turn, textBlock } from "./turn.ts";

const contextSize = 200_000;
const titleMax = 80;

/** Token counts of one turn. Agents send them although the stable schema has no field for them yet. */
interface TurnUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

type DemoPromptResponse = PromptResponse & { readonly usage?: TurnUsage };

/** The demo agent as an ACP app, ready to be connected to a client. */
export function demoAgent(version: string): AgentApp {
  const sessions = new Sessions();
  let canAsk = false;

  const app = agent({ name: "demo" });
  app.onRequest(methods.agent.initialize, ({ params }) => {
    canAsk = Boolean(params.clientCapabilities?.elicitation?.form);
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: "demo", title: "Demo", version },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { resume: {}, list: {}, close: {} },
      },
      authMethods: [],
    };
  });
  // Before session/cancel: handlers are tried in this order, so a cancel right after its prompt finds the turn started.
  app.onRequest(methods.agent.session.prompt, async ({ params, client, signal }) => {
    const session = sessions.get(params.sessionId);
    if (session.turn) throw RequestError.invalidRequest(undefined, "a turn is running in this session");
    const { id, cwd } = session.record;
    const turn = new Turn({ sessionId: id, cwd, client, requestSignal: signal });
    session.turn = turn;
    try {
      return await runTurn({ sessions, session, turn, canAsk }, textOf(params.prompt));
    } finally {
      delete session.turn;
    }
  });
  app.onNotification(methods.agent.session.cancel, ({ params }) =>
    sessions.get(params.sessionId).turn?.cancel(),
  );
  app.onRequest(methods.agent.session.new, ({ params, client }) => {
    const { id: sessionId } = sessions.create(params.cwd).record;
    announceCommands(sessionId, client);
    return { sessionId };
  });
  app.onRequest(methods.agent.session.load, async ({ params, client }) => {
    const { record } = sessions.load(params.sessionId, params.cwd);
    await replay(record, client);
    announceCommands(record.id, client);
    return {};
  });
  app.onRequest(methods.agent.session.resume, ({ params, client }) => {
    const { record } = sessions.load(params.sessionId, params.cwd);
    announceCommands(record.id, client);
    return {};
  });
  app.onRequest(methods.agent.session.list, ({ params }) => ({
    sessions: sessions.list(params.cwd ?? undefined).map(({ id, cwd, updatedAt, history }) => ({
      sessionId: id,
      cwd,
      updatedAt,
      title: titleOf(history.find(({ role }) => role === "user")?.text),
    })),
  }));
  app.onRequest(methods.agent.session.close, ({ params }) => {
    sessions.close(params.sessionId);
    return {};
  });
  return app;
}

/** After the response that opens the conversation, which clients wait for. */
function announceCommands(sessionId: string, client: AgentContext): void {
  const update = { sessionUpdate: "available_commands_update" as const, availableCommands: [...commands] };
  setImmediate(() => {
    // A client that has left needs none.
    client.notify(methods.client.session.update, { sessionId, update }).catch(() => undefined);
  });
}

interface TurnWork {
  readonly sessions: Sessions;
  readonly session: Session;
  readonly turn: Turn;
  readonly canAsk: boolean;
}

async function runTurn(work: TurnWork, prompt: string): Promise<DemoPromptResponse> {
  const { sessions, session, turn, canAsk } = work;
  checkLimit();
  const inputTokens = countWords(prompt);
  sessions.remember(session, { role: "user", text: prompt }, inputTokens);
  const { now, later } = partsOf(prompt, session.record.later);
  try {
    for (const instruction of parseScript(now)) {
      await perform(instruction, { turn, canAsk, standing: session.standing });
    }
    sessions.postpone(session, later);
  } catch (error) {
    await turn.failOpenCalls();
    if (!turn.signal.aborted) throw error;
    return { stopReason: "cancelled" };
  } finally {
    if (turn.words > 0) sessions.remember(session, { role: "agent", text: turn.reply }, turn.words);
  }
  const outputTokens = turn.words;
  await turn.client.notify(methods.client.session.update, {
    sessionId: turn.sessionId,
    update: { sessionUpdate: "usage_update", used: session.record.words, size: contextSize },
  });
  return {
    stopReason: "end_turn",
    usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
  };
}

async function replay(record: SessionRecord, client: AgentContext): Promise<void> {
  for (const { role, text } of record.history) {
    const sessionUpdate = role === "user" ? "user_message_chunk" : "agent_message_chunk";
    await client.notify(methods.client.session.update, {
      sessionId: record.id,
      update: { sessionUpdate, content: textBlock(text) },
    });
  }
}

/** A prompt's text: its text blocks as lines, its links as Markdown, its images and files as their size. */
function textOf(prompt: readonly ContentBlock[]): string {
  return prompt
    .flatMap((block) => {
      if (block.type === "text") return [block.text];
      if (block.type === "image")
        return [`say I see an image (${block.mimeType}, ${sizeOf(block.data)} bytes)`];
      if (block.type === "resource" && "text" in block.resource)
        return [`say I see a file (${nameOf(block.resource.uri)}, ${block.resource.text.length} characters)`];
      return block.type === "resource_link" ? [`[${block.name}](${block.uri})`] : [];
    })
    .join("\n");
}

const nameOf = (uri: string): string => decodeURIComponent(uri.slice(uri.lastIndexOf("/") + 1));
const sizeOf = (base64: string): number => Buffer.byteLength(base64, "base64");

function titleOf(prompt: string | undefined): string | null {
  const [line = ""] = (prompt ?? "").trimStart().split("\n", 1);
  return line === "" ? null : clip(line, titleMax);
}
