import { buildTurnPrompt, type Rejection } from "@drover/core";
import type { Driver, Prompt } from "../ports.ts";
import { accepted } from "./prompt-opening.ts";

/**
 * What goes out with the first prompt of a conversation whose agent has no other place for it. It is stored with the
 * process until it was delivered, so that the next server can deliver it.
 */
export interface Preface {
  readonly context?: string | undefined;
  /** The session's own system text goes along; it is stored with the session. */
  readonly hasSystemText?: true;
}

/** The session's own. */
export interface SystemText {
  readonly system?: string | undefined;
  readonly instructions?: string | undefined;
}

/** The prompt with the preface and the session's system text before it; bare where there is nothing to tell. */
export function withPreface(
  { context: runtime = "", hasSystemText }: Preface,
  sessionText: SystemText,
  { content: message, context = [] }: Prompt,
): string {
  const { system = "", instructions = "" } = hasSystemText ? sessionText : {};
  if (!runtime && !system && !instructions && context.length === 0) return message;
  const input = { runtime, system, instructionFile: instructions, context, message };
  return accepted(buildTurnPrompt({ ...input, style: "sections" })).prompt;
}

/** The prompt of an agent that has been given its system text elsewhere. */
export const withContext = (prompt: Prompt): string => withPreface({}, {}, prompt);

/** Refuses, before anything is stored, a message that does not fit beside the session's system text. */
export const refuseOversize: NonNullable<Driver["refusesPrompt"]> = (
  _preset,
  given,
): Rejection | undefined => {
  const { content: message, system, instructions: instructionFile } = given;
  const built = buildTurnPrompt({ runtime: "", system, instructionFile, message, style: "sections" });
  return built.ok ? undefined : built.error;
};
