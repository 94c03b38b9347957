// An agent that refuses prompts, and policies that say what follows an attempt.
import type { Attempt, AttemptOutcome, FollowUps } from "@drover/core";
import type { AgentConnection } from "../../src/ports.ts";
import { but, type Stage } from "./support.ts";

/** An agent that answers every prompt except those that `refuse` rejects. */
export function prompted(refuse: (prompt: number) => Error | undefined = () => undefined) {
  const prompts: string[] = [];
  const connection = (real: AgentConnection): AgentConnection =>
    but(real, {
      prompt: async (turnId, content) => {
        prompts.push(content);
        const error = refuse(prompts.length);
        if (error) throw error;
        await real.prompt(turnId, content);
      },
    });
  return { stage: { agent: "echo", connection } satisfies Stage, prompts };
}

/** A policy that returns these follow-ups and records the attempts it was asked about. */
export function following(next: (attempt: Attempt, outcome: AttemptOutcome) => Partial<FollowUps>) {
  const asked: [number, AttemptOutcome["type"]][] = [];
  const followUps: Stage["followUps"] = ({ attempt, outcome }) => {
    asked.push([attempt.n, outcome.type]);
    return { maxAttempts: 3, ...next(attempt, outcome) };
  };
  return { followUps, asked };
}

/** Whether the session's first turn is over. */
export const ended = ({ turn, lastTurn }: { turn?: unknown; lastTurn?: unknown }): boolean =>
  turn === undefined && lastTurn !== undefined;
