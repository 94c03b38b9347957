import { buildTurnPrompt } from "@drover/core";
import type { AgentConnection, AgentExit, DriverHost, OpenRequest, Prompt } from "../../ports.ts";
import { attachAgentProcess, startAgentProcess } from "../../process/agent-process.ts";
import type { Line } from "../../process/lines.ts";
import { record, text } from "../json.ts";
import { type Preface, withContext, withPreface } from "../preface.ts";
import { ProcessConnection, type ProcessParts, withStderr } from "../process-connection.ts";
import { accepted, commandOf } from "../prompt-opening.ts";
import { spawnFault } from "../spawn-fault.ts";
import type { JsonLinesReader } from "./reader.ts";

interface StatefulParts extends ProcessParts {
  readonly reader: JsonLinesReader;
  readonly now: () => number;
  /** Builds the first prompt, including what the process was not started with. */
  readonly first: (prompt: Prompt) => string;
  /** The turn that was running under an earlier server. */
  readonly turnId: string | undefined;
}

/**
 * One process for the whole session. Every prompt is a line of JSON, in the format that programs of this kind share;
 * the preset's rules say what ends a turn.
 */
class StatefulConnection extends ProcessConnection implements AgentConnection {
  readonly ended: Promise<AgentExit>;
  readonly #parts: StatefulParts;
  #turnId: string | undefined;

  constructor(parts: StatefulParts) {
    super(parts);
    this.#parts = parts;
    this.#turnId = parts.turnId;
    this.ended = this.gone();
  }

  get agentSessionId(): string | undefined {
    return this.#parts.reader.agentSessionId;
  }

  get memo(): { turnId?: string } {
    return this.#turnId === undefined ? {} : { turnId: this.#turnId };
  }

  /**
   * Ready once it has had a prompt: until then another server cannot use it, since it does not have the text for the
   * first prompt.
   */
  register(): Promise<void> {
    const ready = this.#turnId !== undefined;
    return this.ledger.register({ ...this.#parts.process.identity, ready, memo: this.memo });
  }

  /** From the first byte: later lines depend on earlier ones. */
  listen(): void {
    this.follow((lines) => this.#handle(lines), 0);
  }

  async prompt(turnId: string, content: string, more: Omit<Prompt, "content"> = {}): Promise<void> {
    const { process, first } = this.#parts;
    const words = (this.#turnId === undefined ? first : withContext)({ content, ...more });
    this.#turnId = turnId;
    await this.register();
    const message = { type: "user", message: { role: "user", content: words } };
    await process.write(`${JSON.stringify(message)}\n`).catch((error: unknown) => {
      throw this.undelivered(error);
    });
  }

  /** The protocol has no interrupt: the engine ends the process if the turn continues. */
  async cancel(): Promise<void> {}

  /** It never asks. */
  async answer(): Promise<void> {}

  /** The next process is started with it. */
  async setModel(): Promise<void> {}

  async #handle(lines: readonly Line[]): Promise<void> {
    const { position: known } = this.#parts;
    for (const line of lines.filter(({ end }) => end <= known)) this.#read(line);
    const news = lines.filter(({ end }) => end > known);
    const position = news.at(-1)?.end;
    if (position === undefined) return;
    const facts = news.flatMap((line) => this.#read(line));
    const { agentSessionId } = this;
    await this.ledger.record({ facts, position, ...(agentSessionId ? { agentSessionId } : {}) });
  }

  #read(line: Line) {
    const { reader, now } = this.#parts;
    const facts = [...reader.read([line], now())];
    const { ending } = reader;
    if (ending && this.#turnId !== undefined) {
      reader.beginTurn();
      facts.push({ type: "turn_end", turnId: this.#turnId, ...ending });
    }
    return facts;
  }
}

export interface StatefulOpening {
  readonly request: OpenRequest;
  readonly host: DriverHost;
  readonly reader: JsonLinesReader;
  readonly now: () => number;
}

export async function openStateful(opening: StatefulOpening): Promise<AgentConnection> {
  const { request, host, reader, now } = opening;
  const { attach, preset, sessionId, stopGraceMs } = request;
  const { process, turnId, position, first } = await (attach ? find(request, attach) : start(request));
  const parts = { sessionId, stopGraceMs, name: preset.name, process, position, host };
  const connection = new StatefulConnection({ ...parts, reader, now, turnId, first });
  if (attach) {
    connection.listenAgain();
    return connection;
  }
  try {
    const registered = connection.register();
    connection.listen();
    await registered;
    return connection;
  } catch (error) {
    throw withStderr(error, await connection.abandon());
  }
}

async function start(request: OpenRequest) {
  const { preset, cwd, directory, context = "" } = request;
  const own = { system: request.system, instructionFile: request.instructions };
  const style = preset.systemFlag === undefined ? "sections" : "flag";
  const { systemFlag } = accepted(buildTurnPrompt({ runtime: context, ...own, message: "", style }));
  const { command, args, env } = commandOf(request, { prompt: "", promptFile: "", systemFlag });
  const program = { command, args, cwd, env: { ...request.env, ...env }, directory };
  const process = await startAgentProcess({ ...program, input: "fifo" }).catch((error: unknown) => {
    throw spawnFault(error, { name: preset.name, command, cwd });
  });
  const preface: Preface = systemFlag === undefined ? { context, hasSystemText: true } : {};
  const first = (prompt: Prompt): string => withPreface(preface, request, prompt);
  return { process, position: 0, turnId: undefined, first };
}

async function find({ directory }: OpenRequest, attach: NonNullable<OpenRequest["attach"]>) {
  const { process: stored, isPromptTorn } = attach;
  const { pid, startTime, bootId, position } = stored;
  const process = await attachAgentProcess({
    identity: { pid, startTime, bootId },
    directory,
    offset: position,
    input: "fifo",
    // Only prompts are written to it.
    hasWholeLines: !isPromptTorn,
  });
  return {
    process,
    position,
    turnId: text(record(stored.memo)["turnId"]),
    first: withContext,
  };
}
