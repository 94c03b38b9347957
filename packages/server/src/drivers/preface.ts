import { buildTurnPrompt, type Rejection, withFiles } from "@drover/core";
import type { Driver, Prompt } from "../ports.ts";
import { accepted } from "./prompt-opening.ts";

/**
 * Text that goes out with the first prompt of a conversation because the agent takes it nowhere else. It is stored with
 * the process until it is delivered, so that the next server can deliver it.
 */
export interface Preface {
  readonly context?: string | undefined;
  /** The session's own system text is included; it is stored with the session. */
  readonly hasSystemText?: true;
}

/** The session's own system text. */
export interface SystemText {
  readonly system?: string | undefined;
  readonly instructions?: string | undefined;
}

/** The prompt with its text files, preceded by the preface and the session's system text if there are any. */
export function withPreface(
  { context: runtime = "", hasSystemText }: Preface,
  sessionText: SystemText,
  { content, context = [], files }: Prompt,
): string {
  const message = withFiles(content, files);
  const { system = "", instructions = "" } = hasSystemText ? sessionText : {};
  if (!runtime && !system && !instructions && context.length === 0) return message;
  const input = { runtime, system, instructionFile: instructions, context, message };
  return accepted(buildTurnPrompt({ ...input, style: "sections" })).prompt;
}

/** The prompt for an agent that gets its system text elsewhere. */
export const withContext = (prompt: Prompt): string => withPreface({}, {}, prompt);

/** Rejects, before anything is stored, a message that does not fit beside the session's system text. */
export const refuseOversize: NonNullable<Driver["refusesPrompt"]> = (
  _preset,
  input,
): Rejection | undefined => {
  const { content: message, system, instructions: instructionFile } = input;
  const built = buildTurnPrompt({ runtime: "", system, instructionFile, message, style: "sections" });
  return built.ok ? undefined : built.error;
};
