import { stripVTControlCharacters } from "node:util";
import { type AgentFact, extractSessionId, type Preset } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import type { Line } from "../../process/lines.ts";
import { BadLines, skippedLine } from "../bad-lines.ts";
import { FactBatch } from "../fact-batch.ts";
import { resumeUnknown } from "../http-fault.ts";
import { parseRecord } from "../json.ts";
import type { LineMapper } from "../line-mapper.ts";
import { type Ending, failed, type OutputReader, unfinished } from "../output.ts";

/** Lines of JSON → facts, using the mapper for this agent. */
export class JsonLinesReader implements OutputReader {
  readonly #preset: Preset;
  readonly #mapper: LineMapper;
  readonly #badLines: BadLines;
  #agentSessionId: string | undefined;

  constructor(preset: Preset, mapper: LineMapper) {
    this.#preset = preset;
    this.#mapper = mapper;
    this.#badLines = new BadLines(preset.name);
  }

  get agentSessionId(): string | undefined {
    return this.#mapper.isKept === false ? undefined : this.#agentSessionId;
  }

  get ending(): Ending | undefined {
    return this.#mapper.ending;
  }

  get awaitsExit(): boolean {
    return this.#mapper.awaitsExit ?? false;
  }

  get unknown(): ReadonlyMap<string, number> {
    return this.#mapper.unknown;
  }

  read(lines: readonly Line[], now: number): readonly AgentFact[] {
    const batch = new FactBatch();
    for (const line of lines) {
      if (line.kind === "skipped") batch.push(skippedLine(line.length));
      else if (line.text.trim() !== "") this.#line(line, { batch, now });
    }
    return batch.facts;
  }

  conclude(exit: AgentExit, now: number): Ending {
    const said = this.awaitsExit ? undefined : this.ending;
    return (
      this.#mapper.conclude?.(exit, now) ??
      said ??
      this.#forgotten(exit) ??
      unfinished(exit, this.#preset.name)
    );
  }

  /** Most programs report it only on stderr. */
  #forgotten({ stderrTail }: AgentExit): Ending | undefined {
    const { name, forgotten = [] } = this.#preset;
    const said = stripVTControlCharacters(stderrTail);
    return [forgotten].flat().some((words) => said.includes(words)) ? failed(resumeUnknown(name)) : undefined;
  }

  /** The process gets another prompt. */
  beginTurn(): void {
    this.#mapper.beginTurn();
  }

  #line(line: Exclude<Line, { kind: "skipped" }>, { batch, now }: { batch: FactBatch; now: number }): void {
    const message = parseRecord(line.text);
    if (message === undefined) {
      // A line cut off by the end of the process is not the agent's mistake.
      const complaint = line.kind === "line" ? this.#badLines.report(line.text) : undefined;
      if (complaint) batch.push(complaint);
      return;
    }
    this.#agentSessionId = extractSessionId(this.#preset, message) ?? this.#agentSessionId;
    for (const fact of this.#mapper.map(message, now)) {
      if (fact.type === "text" || fact.type === "thinking") {
        batch.speak({ type: fact.type, parent: fact.parent }, fact.text);
      } else batch.push(fact);
    }
  }
}
