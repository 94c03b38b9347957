import { stripVTControlCharacters } from "node:util";
import { type AgentFact, type DoneReason, doneReasonOf, Fault, type Usage } from "@drover/core";
import type { AgentExit } from "../ports.ts";
import type { Line } from "../process/lines.ts";

/** How a turn ended. */
export interface Ending {
  readonly reason: DoneReason;
  readonly fault?: Fault;
  readonly usage?: Usage;
}

/**
 * Interprets the output of one process, from its first byte on. Throws a Fault only for a message that is nested too
 * deep.
 */
export interface OutputReader {
  /** `now`, in ms, only affects when a limit ends. */
  read(lines: readonly Line[], now: number): readonly AgentFact[];
  /** The agent's own conversation, once it has named it. */
  readonly agentSessionId?: string | undefined;
  /** How the turn ended, once the agent has said so explicitly. */
  readonly ending: Ending | undefined;
  /** The output alone does not end the turn: the exit has to confirm it. */
  readonly awaitsExit: boolean;
  /** The process is gone, and all its output has been read. */
  conclude(exit: AgentExit, now: number): Ending;
  /** Unknown kinds of messages, with their counts. */
  readonly unknown?: ReadonlyMap<string, number>;
}

/** A turn ended by this fault. */
export const failed = (fault: Fault, usage?: Usage): Ending => ({
  reason: doneReasonOf(fault.code),
  fault,
  ...(usage ? { usage } : {}),
});

/** The shell's exit codes for a program that cannot be run and for one that does not exist. */
const NOT_RUN: readonly (number | null)[] = [126, 127];

/** The end of a turn whose process exited without ending it. */
export function unfinished({ code, signal, stderrTail }: AgentExit, name: string): Ending {
  const facts = { ...(stderrTail ? { stderrTail } : {}), ...(signal ? { endedBy: signal } : {}) };
  const more = { retry: "same", facts } as const;
  if (NOT_RUN.includes(code)) {
    return failed(new Fault("AGENT_UNREACHABLE", `Could not start ${name}.${lastLine(stderrTail)}`, more));
  }
  if (code === 0) {
    const message = `${name} ended without finishing its turn.${lastLine(stderrTail)}`;
    return failed(new Fault("NO_COMPLETION", message, more));
  }
  const how = code === null ? (signal ? ` by ${signal}` : "") : ` with exit code ${code}`;
  const message = `${name} ended${how} in the middle of its turn.${lastLine(stderrTail)}`;
  return failed(new Fault("AGENT_CRASHED", message, more));
}

/** An agent's messages end up in events and on pages. */
const MAX_MESSAGE = 2_000;

export const cut = (words: string): string =>
  words.length > MAX_MESSAGE ? `${words.slice(0, MAX_MESSAGE)}…` : words;

/** Programs report what went wrong last. */
export function lastLine(stderrTail: string): string {
  const last = stripVTControlCharacters(stderrTail).trimEnd().split("\n").at(-1)?.trim() ?? "";
  return last === "" ? "" : ` It said: ${cut(last)}`;
}
