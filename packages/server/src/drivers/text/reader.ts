import { stripVTControlCharacters } from "node:util";
import type { AgentFact } from "@drover/core";
import type { AgentExit } from "../../ports.ts";
import type { Line } from "../../process/lines.ts";
import { skippedLine } from "../bad-lines.ts";
import { FactBatch } from "../fact-batch.ts";
import { type Ending, type OutputReader, unfinished } from "../output.ts";

/** A program whose output is its answer, and whose exit ends the turn. */
export class TextReader implements OutputReader {
  readonly ending = undefined;
  readonly awaitsExit = true;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  read(lines: readonly Line[]): readonly AgentFact[] {
    const batch = new FactBatch();
    for (const line of lines) {
      if (line.kind === "skipped") batch.push(skippedLine(line.length));
      else {
        const words = plain(line.text);
        batch.speak({ type: "text", parent: undefined }, line.kind === "line" ? `${words}\n` : words);
      }
    }
    return batch.facts;
  }

  conclude(exit: AgentExit): Ending {
    return exit.code === 0 ? { reason: "end_turn" } : unfinished(exit, this.#name);
  }
}

/** As it would finally look on a terminal: no colors, and of an overwritten line only its last version. */
function plain(line: string): string {
  const written = line.endsWith("\r") ? line.slice(0, -1) : line;
  return stripVTControlCharacters(written.slice(written.lastIndexOf("\r") + 1)).replace(CONTROL, "");
}

/** Remains of cut escape sequences, and characters a transcript must not contain. */
const CONTROL = /[^\P{Cc}\t\n]/gu;
