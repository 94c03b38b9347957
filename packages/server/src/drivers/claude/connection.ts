import { type AgentAnswer, type AgentFact, Fault } from "@drover/core";
import type { AgentConnection, AgentExit, Prompt } from "../../ports.ts";
import type { Line } from "../../process/lines.ts";
import { withContext } from "../preface.ts";
import { ProcessConnection, type ProcessParts, reasonOf } from "../process-connection.ts";
import type { Conversation } from "./conversation.ts";
import type { Turn } from "./map-state.ts";
import { makeUserPrompt, steerUuid } from "./options.ts";
import { Reader } from "./reader.ts";
import { amendedCall } from "./requests.ts";

/** What another server needs to take over the process; stored with it. */
export interface Memo {
  readonly agentSessionId: string;
  /** The turn of its last prompt. */
  readonly turn?: Turn;
}

export interface ConnectionParts extends Conversation, ProcessParts {
  readonly memo: Memo;
  readonly now: () => number;
  readonly onUnknown: ((counts: Readonly<Record<string, number>>) => void) | undefined;
}

/** After its last background task the agent may comment on it; it starts doing so at once or not at all. */
const LINGER_MS = 2_000;

/** One agent process, for one turn and the background work that outlives it. */
export class ClaudeConnection extends ProcessConnection implements AgentConnection {
  readonly ended: Promise<AgentExit>;
  readonly #parts: ConnectionParts;
  readonly #reader: Reader;
  #memo: Memo;
  #isOver = false;
  #hasServed = false;
  #isKept = false;
  #linger: NodeJS.Timeout | undefined;
  #finished: Promise<void> | undefined;

  constructor(parts: ConnectionParts) {
    super(parts);
    this.#parts = parts;
    this.#reader = new Reader(parts);
    this.#memo = parts.memo;
    this.ended = this.#end();
  }

  get agentSessionId(): string {
    return this.#parts.state.agentSessionId ?? this.#memo.agentSessionId;
  }

  get memo(): Memo {
    return this.#memo;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /**
   * Starts reading the agent's output, always from the first byte: later messages depend on earlier ones. Output that
   * an earlier server has recorded is read but not recorded again.
   */
  listen(): void {
    this.follow((batch) => this.#handle(batch), 0);
  }

  /** Stores the process with the state of its conversation. */
  register({ isReady }: { readonly isReady: boolean }): Promise<void> {
    const known = isReady ? { ready: true, memo: this.#memo } : { ready: false };
    return this.ledger.register({ ...this.#parts.process.identity, ...known });
  }

  keep(): Disposable {
    this.#isKept = true;
    clearTimeout(this.#linger);
    return {
      [Symbol.dispose]: () => {
        this.#isKept = false;
        this.#endIfDone();
      },
    };
  }

  async prompt(turnId: string, content: string, more: Omit<Prompt, "content"> = {}): Promise<void> {
    const { images } = more;
    const { prompts, state, name } = this.#parts;
    if (this.#isOver) throw new Fault("AGENT_UNREACHABLE", `${name} is ending; its turn is over`);
    clearTimeout(this.#linger);
    const message = makeUserPrompt(withContext({ content, ...more }), { images });
    const turn = { id: turnId, uuid: message.uuid };
    state.beginTurn(turn);
    this.#memo = { ...this.#memo, turn };
    await this.register({ isReady: true });
    await prompts.push(message).catch((error: unknown) => {
      throw this.undelivered(error);
    });
  }

  steer(messageId: string): ReturnType<NonNullable<AgentConnection["steer"]>> {
    const { prompts, state } = this.#parts;
    if (this.#isOver || !state.turn) return undefined;
    const uuid = steerUuid(messageId);
    state.unanswered.add(uuid);
    return (content, { images, files }) =>
      prompts
        .push(makeUserPrompt(withContext({ content, files }), { uuid, images }))
        .catch((error: unknown) => {
          throw this.undelivered(error);
        });
  }

  /** The agent acknowledges the interrupt before its turn ends. */
  async cancel(_turnId: string): Promise<void> {
    await this.#parts.query.interrupt().catch((error: unknown) => {
      throw this.undelivered(error);
    });
  }

  async answer(requestKey: string, answer: AgentAnswer): Promise<void> {
    const { requests } = this.#parts;
    const message = requests.get(requestKey);
    if (message && answer.type === "approved" && answer.input !== undefined) {
      await this.note(amendedCall(message, answer.input));
    }
    await requests.answer(requestKey, answer).catch((error: unknown) => {
      throw this.undelivered(error);
    });
  }

  /** Applies to the rest of this turn; the next process is started with it. */
  async setModel(model: string): Promise<void> {
    const { query, name, state } = this.#parts;
    try {
      await query.setModel(model);
      state.model = model;
      await this.note([{ type: "model", model }]);
    } catch (error) {
      const message = `${name} keeps its model for this turn; it could not be set to "${model}": ${reasonOf(error)}`;
      await this.note([{ type: "notice", code: "MODEL_UNSUPPORTED", message, facts: { model } }]);
    }
  }

  async #handle(lines: readonly Line[]): Promise<void> {
    const { requests, bridge, position: known } = this.#parts;
    this.#observe(this.#reader.read(lines.filter(({ end }) => end <= known)).facts);
    const news = lines.filter(({ end }) => end > known);
    const position = news.at(-1)?.end;
    if (position === undefined) return this.#endIfDone();
    const { facts, requests: asked, control, waiting } = this.#reader.read(news);
    for (const request of asked) requests.add(request);
    if (waiting) requests.keep(waiting);
    // Answer before recording: a person's answer is awaited by then.
    for (const line of control) bridge.feed(line);
    // Set before the turn's end is reported, so that the next prompt does not go to a process that is ending.
    this.#observe(facts);
    const raw = Object.fromEntries(asked.map(({ requestKey, message }) => [requestKey, message]));
    const { agentSessionId } = this;
    await this.ledger.record({ facts, position, agentSessionId, ...(asked.length > 0 ? { raw } : {}) });
    this.#endIfDone();
  }

  #observe(facts: readonly AgentFact[]): void {
    if (!facts.some(({ type }) => type === "turn_end")) return;
    this.#hasServed = true;
    if (this.#parts.state.background === 0) this.#isOver = true;
  }

  /** Ends the process when it has nothing left to do. */
  #endIfDone(): void {
    const { state } = this.#parts;
    clearTimeout(this.#linger);
    const isQuiet = this.#hasServed && !state.turn && !state.isRunning && state.background === 0;
    if (this.#isOver) this.#finish();
    else if (isQuiet && !this.#isKept) this.#linger = setTimeout(() => this.#finish(), LINGER_MS).unref();
  }

  /** Its input never ends, so it is stopped by a signal: it saves its conversation and ends within 50 ms (2.1.325). */
  #finish(): void {
    this.#isOver = true;
    this.#finished ??= this.stop().catch(() => undefined);
  }

  async #end(): Promise<AgentExit> {
    const { state, onUnknown } = this.#parts;
    const exit = await this.gone();
    if (state.unknown.size > 0) onUnknown?.(Object.fromEntries(state.unknown));
    // Its sweep goes by the session's mark, which the next process carries too.
    await this.#finished;
    return exit;
  }

  protected override release(exit?: Omit<AgentExit, "stderrTail">): void {
    const { name, bridge, query, prompts, requests } = this.#parts;
    clearTimeout(this.#linger);
    const fault = new Fault("AGENT_UNREACHABLE", `${name} is no longer connected`);
    prompts.close(fault);
    requests.close(fault);
    bridge.release(exit);
    query.close();
  }
}
