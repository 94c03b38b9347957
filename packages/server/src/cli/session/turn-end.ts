import { type DoneReason, type EventOf, elapsed, faultSentence } from "@drover/core";
import { type ExitCode, exit } from "../exit.ts";
import { type Styled, style } from "../terminal/styled.ts";
import { oneLine } from "../view/text.ts";
import { clockTime } from "../view/words.ts";

type Done = EventOf<"done">;

/** The exit code of a command that waited for this turn. */
export function turnExit({ reason, ok }: Done, wasInterruptedHere: boolean): ExitCode {
  if (reason === "cancelled" && wasInterruptedHere) return exit.interrupted;
  if (reason === "waiting_for_input") return exit.needsPerson;
  return ok ? exit.done : exit.failed;
}

const endings: Readonly<Record<DoneReason, string>> = {
  end_turn: "Done",
  waiting_for_input: "Waiting for your answers",
  max_tokens: "Stopped: the model reached its output limit",
  max_turns: "Stopped: the agent reached its step limit",
  refusal: "The model refused",
  cancelled: "Interrupted here",
  usage_limit: "Stopped: usage limit reached",
  auth: "The agent is not logged in; `drover doctor` shows how to log in",
  timeout: "Timed out",
  error: "The agent reported an error",
  crashed: "The agent crashed; its output so far is kept",
  uncertain:
    "Drover cannot tell whether the agent received the message; check the session and send it again if needed",
};

/** Why a turn did not end well. */
export function failureWords({ reason, error }: Done): string {
  if (reason === "cancelled") return endings.cancelled;
  if (reason === "usage_limit") {
    const until = typeof error?.until === "string" ? clockTime(error.until) : undefined;
    return until === undefined ? endings.usage_limit : `${endings.usage_limit} until ${until}`;
  }
  return error ? faultSentence(error.message, error) : (endings[reason] ?? reason);
}

/** The last line of a turn. Undefined if the error it would repeat is on the screen already. */
export function endingLine(
  done: Done,
  { startedAt, lastError }: { startedAt: string | undefined; lastError: string | undefined },
): Styled | undefined {
  if (done.ok) {
    if (done.reason === "waiting_for_input") return style.yellow(endings.waiting_for_input);
    return style.dim(startedAt === undefined ? "Done" : `Done in ${elapsed(startedAt, done.at)}`);
  }
  const words = failureWords(done);
  if (done.reason === "cancelled") return style.yellow(words);
  return words === lastError ? undefined : style.red(`✗ ${oneLine(words)}`);
}
