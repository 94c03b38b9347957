import { type DoneReason, type EventOf, faultSentence } from "@drover/core";
import { type ExitCode, exit } from "../exit.ts";

/** What the end of a turn means to whoever waited for it. */
export function turnExit({ reason, ok }: EventOf<"done">, wasInterruptedHere: boolean): ExitCode {
  if (reason === "cancelled" && wasInterruptedHere) return exit.interrupted;
  if (reason === "waiting_for_input") return exit.needsPerson;
  return ok ? exit.done : exit.failed;
}

const endings: Readonly<Record<DoneReason, string>> = {
  end_turn: "The turn has ended",
  waiting_for_input: "It waits for answers",
  max_tokens: "The agent ran out of tokens for one answer",
  max_turns: "The agent reached its limit of steps",
  refusal: "The model refused",
  cancelled: "The turn was interrupted",
  usage_limit: "The account's usage limit is reached",
  auth: "The agent is not logged in; `drover doctor` looks",
  timeout: "The turn took too long",
  error: "The agent reported an error",
  crashed: "The agent's process ended; what it said so far is kept",
  uncertain:
    "Nobody knows whether the agent got the message: look at the session, and send it again if need be",
};

export const whyEnded = ({ reason, error }: EventOf<"done">): string =>
  error ? faultSentence(error.message, error) : endings[reason];
