import {
  type AgentAnswer,
  type AgentFact,
  Fault,
  isSlashCommand,
  type ModelOffer,
  type PermissionMode,
  type PromptFile,
  textType,
} from "@drover/core";
import type { AgentBatch, AgentConnection, AgentExit, Prompt, PromptImage } from "../../ports.ts";
import type { Line } from "../../process/lines.ts";
import { FactBatch } from "../fact-batch.ts";
import { record } from "../json.ts";
import type { OpenRequests } from "../open-requests.ts";
import { type SystemText, withContext, withPreface } from "../preface.ts";
import { ProcessConnection, type ProcessParts, withStderr } from "../process-connection.ts";
import { messageOf } from "./faults.ts";
import type { Conversation } from "./handshake.ts";
import type { UpdateMapper } from "./map.ts";
import { modelOf } from "./model.ts";
import { permissionCall } from "./permission.ts";
import { promptId, type Reader } from "./reader.ts";
import { encode, type Wire } from "./wire.ts";

export interface ConnectionParts extends ProcessParts {
  readonly wire: Wire;
  readonly reader: Reader;
  readonly mapper: UpdateMapper;
  readonly requests: OpenRequests<unknown>;
  /** Sends one request. Rejects with the agent's error, or with a Fault when the agent ends or takes too long. */
  readonly ask: (method: string, params: unknown) => Promise<unknown>;
  /** The session's system text, for agents that receive it with the first prompt of a conversation. */
  readonly systemText: SystemText;
}

/** One agent process and its conversation. */
export class AcpConnection extends ProcessConnection implements AgentConnection {
  readonly ended: Promise<AgentExit>;
  readonly #parts: ConnectionParts;
  #conversation: Conversation | undefined;
  #models: readonly ModelOffer[] | undefined;

  constructor(parts: ConnectionParts) {
    super(parts);
    this.#parts = parts;
    this.ended = this.gone();
  }

  get agentSessionId(): string {
    return this.memo.agentSessionId;
  }

  get memo(): Conversation {
    if (this.#conversation === undefined) throw new Error("The conversation has not started");
    return { ...this.#conversation, mode: this.#parts.mapper.modes.choice };
  }

  /** Starts reading the agent's output, including everything it has written so far. */
  listen(): void {
    this.follow((batch) => this.#handle(batch), this.#parts.position);
  }

  get authMethods(): Conversation["authMethods"] {
    return this.#conversation?.authMethods;
  }

  get models(): readonly ModelOffer[] | undefined {
    return this.#models;
  }

  /**
   * `models`: the models the agent offers. Not stored with the process: the list is long, and the next process reports
   * it again.
   */
  converse(conversation: Conversation, models?: readonly ModelOffer[]): void {
    this.#conversation = conversation;
    this.#parts.mapper.modes.offer(conversation.mode);
    this.#models = models;
  }

  /** Stores the process with the state of its conversation and the position up to which its output is recorded. */
  register(): Promise<void> {
    const known = this.#conversation ? { ready: true, memo: this.memo } : { ready: false };
    return this.ledger.register({ ...this.#parts.process.identity, ...known });
  }

  get resumes(): boolean {
    return this.memo.resumes === true;
  }

  get images(): boolean | undefined {
    return this.memo.images;
  }

  async prompt(turnId: string, content: string, more: Omit<Prompt, "content"> = {}): Promise<void> {
    const { context, images = [], files = [] } = more;
    const { preface, ...conversation } = this.memo;
    const { embedsFiles = false } = conversation;
    const prompt = { content, context, files: embedsFiles ? [] : files };
    // Known only now, if this message is the session's first.
    if (images.length > 0 && this.images === false) throw cannotTakeImages(this.#parts.name);
    const isPrefaced = preface !== undefined && !isSlashCommand(content);
    const text = isPrefaced ? withPreface(preface, this.#parts.systemText, prompt) : withContext(prompt);
    await this.#send({
      id: promptId(turnId),
      method: "session/prompt",
      params: {
        sessionId: this.agentSessionId,
        prompt: [
          { type: "text", text },
          ...images.map(imageBlock),
          ...(embedsFiles ? files.map(fileBlock) : []),
        ],
      },
    });
    if (!isPrefaced) return;
    this.#conversation = conversation;
    await this.register();
  }

  async cancel(_turnId: string): Promise<void> {
    await this.#send({ method: "session/cancel", params: { sessionId: this.agentSessionId } });
  }

  async answer(requestKey: string, answer: AgentAnswer): Promise<void> {
    const { requests, mapper } = this.#parts;
    mapper.tools.answered(permissionCall(requests.get(requestKey)?.["params"]));
    await requests.answer(requestKey, answer).catch((error: unknown) => {
      throw this.undelivered(error);
    });
  }

  /** Records the model that the agent says it uses. */
  async recordModel(): Promise<void> {
    const news = new FactBatch();
    this.#parts.mapper.useModel(this.memo.model?.current, news);
    await this.note(news.facts);
  }

  async setModel(model: string): Promise<void> {
    const { ask, mapper } = this.#parts;
    const { agentSessionId: sessionId, model: choice } = this.memo;
    if (choice === undefined) return this.#keepModel(model, "it offers no model selection");
    try {
      const answer =
        choice.by === "session/set_model"
          ? await ask(choice.by, { sessionId, modelId: model })
          : await ask("session/set_config_option", { sessionId, configId: choice.by.option, value: model });
      const news = new FactBatch();
      mapper.useModel(modelOf(answer)?.current ?? model, news);
      await this.note(news.facts);
    } catch (error) {
      await this.#keepModel(model, messageOf(record(error)));
    }
  }

  async setPermissionMode(mode: PermissionMode): Promise<void> {
    const { ask, mapper, name } = this.#parts;
    const { modes } = mapper;
    const news = new FactBatch();
    const wanted = modes.wanted(mode);
    if (wanted) {
      try {
        await ask(wanted.method, { sessionId: this.agentSessionId, ...wanted.params });
        modes.change(wanted.id, news);
      } catch (error) {
        const message = `${name} did not switch to its mode "${wanted.id}": ${messageOf(record(error))}`;
        news.push({ type: "notice", code: "MODE_UNSUPPORTED", message, facts: { mode: wanted.id } });
      }
    }
    modes.report(news);
    await this.note(news.facts);
  }

  async #handle(lines: readonly Line[]): Promise<void> {
    const { reader, requests, wire } = this.#parts;
    const position = lines.at(-1)?.end;
    if (position === undefined) return;
    const { facts, requests: asked, messages } = reader.read(lines);
    for (const request of asked) requests.add(request);
    // Answer before recording: a person's answer is awaited by then, and any other request is better answered twice
    // after a crash than never.
    for (const message of messages) wire.accept(message);
    // Back-pressure: an agent that floods us with requests must read our answers first.
    if (messages.length > 0) await wire.written();
    const recorded = facts.some(isUnexplained) ? await this.#withLastWords(facts) : facts;
    const raw = Object.fromEntries(asked.map(({ requestKey, message }) => [requestKey, message]));
    const batch: AgentBatch = { facts: recorded, position, ...(asked.length > 0 ? { raw } : {}) };
    await this.ledger.record(batch);
  }

  /** The agent's stderr may explain why a turn failed. */
  async #withLastWords(facts: readonly AgentFact[]): Promise<AgentFact[]> {
    const tail = await this.#parts.process.stderrTail().catch(() => "");
    return facts.map((fact) =>
      isUnexplained(fact) ? { ...fact, fault: withStderr(fact.fault, tail) } : fact,
    );
  }

  async #send(message: object): Promise<void> {
    try {
      await this.#parts.process.write(encode({ jsonrpc: "2.0", ...message }));
    } catch (error) {
      throw this.undelivered(error);
    }
  }

  async #keepModel(model: string, why: string): Promise<void> {
    const message = `${this.#parts.name} keeps its model; it could not be set to "${model}": ${why}`;
    const current = this.#parts.mapper.current ?? this.memo.model?.current;
    await this.note([
      { type: "notice", code: "MODEL_UNSUPPORTED", message, facts: { model } },
      ...(current === undefined ? [] : [{ type: "model", model: current } as const]),
    ]);
  }

  protected override release(): void {
    const { name, wire, requests } = this.#parts;
    wire.close();
    requests.close(new Fault("AGENT_UNREACHABLE", `${name} is no longer connected`));
  }
}

const imageBlock = ({ mediaType, data }: PromptImage) => ({ type: "image", mimeType: mediaType, data });

/** The address only names the file: the agent has its text and nothing to fetch. */
const fileBlock = ({ name, text }: PromptFile) => ({
  type: "resource",
  resource: { uri: `attachment:///${encodeURIComponent(name)}`, mimeType: textType, text },
});

const cannotTakeImages = (name: string) =>
  new Fault(
    "AGENT_UNREACHABLE",
    `${name} can't take images. Save them in the workspace, mention them with @, and send the message again.`,
    { retry: "never" },
  );

type FailedTurn = Extract<AgentFact, { type: "turn_end" }> & { readonly fault: Fault };

/** Usage limits and missing logins need no further explanation. */
const isUnexplained = (fact: AgentFact): fact is FailedTurn =>
  fact.type === "turn_end" && (fact.fault?.code === "MODEL_ERROR" || fact.fault?.code === "AGENT_PROTOCOL");
