import { type AgentAnswer, type AgentFact, Fault } from "@drover/core";
import type { AgentBatch, AgentConnection, AgentExit, DriverHost } from "../../ports.ts";
import type { AgentProcess } from "../../process/agent-process.ts";
import type { Line } from "../../process/lines.ts";
import { record } from "../json.ts";
import { FactBatch } from "./fact-batch.ts";
import { messageOf } from "./faults.ts";
import type { Conversation } from "./handshake.ts";
import type { UpdateMapper } from "./map.ts";
import { modelOf } from "./model.ts";
import type { OpenRequests } from "./open-requests.ts";
import { permissionCall } from "./permission.ts";
import { promptId, type Reader } from "./reader.ts";
import { encode, type Wire } from "./wire.ts";

export interface ConnectionParts {
  readonly sessionId: string;
  /** How people know the agent. */
  readonly name: string;
  readonly stopGraceMs: number;
  readonly process: AgentProcess;
  readonly host: DriverHost;
  readonly wire: Wire;
  readonly reader: Reader;
  readonly mapper: UpdateMapper;
  readonly requests: OpenRequests;
  /** Where reading begins. */
  readonly position: number;
  /** Sends one request; rejects with the agent's error, and with a Fault when it ends or takes too long. */
  readonly ask: (method: string, params: unknown) => Promise<unknown>;
}

/** Output without facts is recorded this seldom: only to have less to read again after a crash. */
const RECORD_EVERY = 1024 * 1024;

/** One agent process and its conversation. */
export class AcpConnection implements AgentConnection {
  readonly pid: number;
  readonly ended: Promise<AgentExit>;
  readonly caughtUp: Promise<void>;
  readonly #parts: ConnectionParts;
  readonly #caughtUp = Promise.withResolvers<void>();
  #conversation: Conversation | undefined;
  #hostCalls: Promise<unknown> = Promise.resolve();
  /** Everything before it is recorded, or says nothing. */
  #position: number;
  #recorded: number;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
    this.#position = parts.position;
    this.#recorded = parts.position;
    this.pid = parts.process.identity.pid;
    this.ended = this.#end();
    this.caughtUp = this.#caughtUp.promise;
    // Only who waits for it is told that it never came.
    this.caughtUp.catch(() => undefined);
  }

  get agentSessionId(): string {
    return this.memo.agentSessionId;
  }

  get memo(): Conversation {
    if (this.#conversation === undefined) throw new Error("The conversation has not begun");
    return this.#conversation;
  }

  /** Begins to read the agent's output; what it has written until now is caught up with. */
  listen(): void {
    const { process, position } = this.#parts;
    process.lines((batch) => this.#handle(batch), position);
    this.#caughtUp.resolve(process.drain());
  }

  converse(conversation: Conversation): void {
    this.#conversation = conversation;
  }

  /** Stores the process with what is known of its conversation and how far its output is recorded. */
  async register(): Promise<void> {
    const { host, process } = this.#parts;
    await this.#inTurn(() => {
      const known = this.#conversation ? { ready: true, memo: this.#conversation } : { ready: false };
      return host.spawned({ ...process.identity, position: this.#position, ...known });
    });
  }

  /** Ends an agent that could not be connected to; returns the last it wrote to stderr. */
  async abandon(): Promise<string> {
    const { process, sessionId, stopGraceMs } = this.#parts;
    const { survivors } = await process.stop({ mark: sessionId, grace: stopGraceMs });
    if (survivors.length === 0) return (await this.ended).stderrTail;
    this.detach();
    return process.stderrTail();
  }

  /** Records facts that do not come from the agent's output. */
  async note(facts: readonly AgentFact[]): Promise<void> {
    if (facts.length === 0) return;
    await this.#inTurn(() => this.#parts.host.record({ facts, position: this.#position }));
  }

  async prompt(turnId: string, content: string): Promise<void> {
    await this.#send({
      id: promptId(turnId),
      method: "session/prompt",
      params: { sessionId: this.agentSessionId, prompt: [{ type: "text", text: content }] },
    });
  }

  async cancel(_turnId: string): Promise<void> {
    await this.#send({ method: "session/cancel", params: { sessionId: this.agentSessionId } });
  }

  async answer(requestKey: string, answer: AgentAnswer): Promise<void> {
    const { requests, mapper } = this.#parts;
    const denied = answer.type === "denied" && permissionCall(requests.get(requestKey)?.["params"]);
    if (denied) mapper.tools.deny(denied);
    await requests.answer(requestKey, answer).catch((error: unknown) => {
      throw this.#undelivered(error);
    });
  }

  async setModel(model: string): Promise<void> {
    const { ask, mapper } = this.#parts;
    const { agentSessionId: sessionId, model: choice } = this.memo;
    if (choice === undefined) return this.#keepModel(model, "it offers no choice of models");
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

  async stop(): Promise<void> {
    const { process, sessionId, stopGraceMs } = this.#parts;
    const { survivors } = await process.stop({ mark: sessionId, grace: stopGraceMs });
    if (survivors.length === 0) return;
    const pids = survivors.map(({ pid }) => pid);
    throw new Fault("TIMEOUT", `${this.#parts.name} could not be ended: ${pids.join(", ")} still run`, {
      facts: { pids },
    });
  }

  detach(): void {
    this.#letGo();
    this.#parts.process.detach();
  }

  pause(): void {
    this.#parts.process.pause();
  }

  unpause(): void {
    this.#parts.process.resume();
  }

  async #handle(lines: readonly Line[]): Promise<void> {
    const { reader, requests, wire, host } = this.#parts;
    const position = lines.at(-1)?.end ?? this.#position;
    const { facts, requests: asked, messages } = reader.read(lines);
    for (const request of asked) requests.add(request);
    // Before they are recorded: a person's answer is awaited by then, and any other request is answered twice after
    // a crash rather than never.
    for (const message of messages) wire.accept(message);
    if (facts.length === 0 && position - this.#recorded < RECORD_EVERY) {
      this.#position = position;
      return;
    }
    const raw = Object.fromEntries(asked.map(({ requestKey, message }) => [requestKey, message]));
    const batch: AgentBatch = { facts, position, ...(asked.length > 0 ? { raw } : {}) };
    await this.#inTurn(async () => {
      await host.record(batch);
      this.#position = position;
      this.#recorded = position;
    });
  }

  /** The host is called by one at a time, and each call sees the position the one before has left. */
  #inTurn(call: () => Promise<void>): Promise<void> {
    const result = this.#hostCalls.then(call);
    this.#hostCalls = result.catch(() => undefined);
    return result;
  }

  async #send(message: object): Promise<void> {
    try {
      await this.#parts.process.write(encode({ jsonrpc: "2.0", ...message }));
    } catch (error) {
      throw this.#undelivered(error);
    }
  }

  #undelivered(error: unknown): Fault {
    if (error instanceof Fault) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new Fault("AGENT_UNREACHABLE", `${this.#parts.name} does not take its input`, {
      facts: { reason },
    });
  }

  async #keepModel(model: string, why: string): Promise<void> {
    const message = `${this.#parts.name} keeps its model, "${model}" was not set: ${why}`;
    await this.note([{ type: "notice", code: "MODEL_UNSUPPORTED", message, facts: { model } }]);
  }

  async #end(): Promise<AgentExit> {
    const { process } = this.#parts;
    // When recording failed the engine knows already; what is left to tell is the exit.
    const exit = await process.finished.catch(() => process.exited);
    this.#letGo();
    return { ...exit, stderrTail: await process.stderrTail().catch(() => "") };
  }

  #letGo(): void {
    const { name, wire, requests } = this.#parts;
    wire.close();
    requests.close(new Fault("AGENT_UNREACHABLE", `${name} is not connected any more`));
  }
}
