import { buildTurnPrompt, type Rejection } from "@drover/core";
import type { Driver, Spoken } from "../ports.ts";
import { accepted } from "./prompt-opening.ts";

/**
 * What goes out with the first prompt of a conversation whose agent has no other place for it. It is stored with the
 * process until it was delivered, so that the next server can deliver it.
 */
export interface Preface {
  readonly context?: string | undefined;
  readonly transcript?: readonly Spoken[] | undefined;
  /** The session's own system text goes along; it is stored with the session. */
  readonly hasSystemText?: true;
}

/** The session's own. */
export interface SystemText {
  readonly system?: string | undefined;
  readonly instructions?: string | undefined;
}

/** The prompt with the preface and the session's system text before it; bare where there is none. */
export function withPreface(
  { context = "", transcript = [], hasSystemText }: Preface,
  sessionText: SystemText,
  message: string,
): string {
  const { system = "", instructions = "" } = hasSystemText ? sessionText : {};
  if (!context && !system && !instructions && transcript.length === 0) return message;
  const input = { runtime: context, system, instructionFile: instructions, context: transcript, message };
  return accepted(buildTurnPrompt({ ...input, style: "sections" })).prompt;
}

/** A slash command must be the first thing in a prompt: the preface waits for the next one. */
export const isSlashCommand = (content: string): boolean => content.startsWith("/");

/** Refuses, before anything is stored, a message that does not fit beside the session's system text. */
export const refuseOversize: NonNullable<Driver["refusesPrompt"]> = (
  _preset,
  given,
): Rejection | undefined => {
  const { content: message, system, instructions: instructionFile } = given;
  const built = buildTurnPrompt({ runtime: "", system, instructionFile, message, style: "sections" });
  return built.ok ? undefined : built.error;
};
