import type { Interaction } from "../interaction.ts";

/** An interaction that asks the questions of a signal has this in place of a tool call's id. */
export const signalCallId = (run: number): string => `signal:${run}`;

/** Whether a worker waits for the answers to this: its process is gone. */
export const isSignalQuestion = ({ kind, toolCallId }: Pick<Interaction, "kind" | "toolCallId">): boolean =>
  kind === "question" && /^signal:\d+$/.test(toolCallId);
