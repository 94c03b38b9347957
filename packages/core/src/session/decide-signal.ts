import type { EventBody } from "../event.ts";
import type { Answers, Question } from "../interaction.ts";
import { formatAnswersAsPrompt } from "../prompt/answers.ts";
import type { Collected } from "../worker/ended.ts";
import { type Attempt, firstAttempt } from "./attempt.ts";
import type { DecisionContext } from "./command.ts";
import { newMessage, startTurn } from "./decide-messages.ts";
import { queueUpdate } from "./event-bodies.ts";
import type { SessionState } from "./state.ts";

/** A worker's questions outlive its process and its turn, and have no deadline. */
export function askForSignal(
  state: SessionState,
  { toolCallId, questions }: NonNullable<Collected["asks"]>,
  { newId, now, session }: DecisionContext,
): EventBody {
  return {
    ...{
      type: "question_prompt",
      id: newId("interaction"),
      sessionId: session.id,
      sessionName: session.name,
    },
    ...{ agent: session.agent, kind: "question", toolCallId },
    ...(state.turn ? { turnId: state.turn.id } : {}),
    ...{
      title: "The worker has questions",
      scopes: [],
      questions: [...questions],
      createdAt: now,
      state: "open",
    },
  };
}

interface Answered {
  readonly questions: readonly Question[];
  readonly answers: Answers;
  readonly by: string;
}

/** The answers to a worker's questions are its next message, before any that is waiting. */
export function continueWithAnswers(
  state: SessionState,
  { questions, answers, by }: Answered,
  context: DecisionContext,
): { events: EventBody[]; begin?: (seq: number) => Attempt } {
  const message = newMessage({ content: formatAnswersAsPrompt(questions, answers) }, { by }, context);
  if (state.turn || context.session.mustWait)
    return { events: [queueUpdate(state.queuePaused, [message, ...state.queue])] };
  const { events, turnId } = startTurn(message, context);
  return {
    events,
    begin: (seq) => {
      const { prompt, ...first } = firstAttempt(turnId, seq);
      return { ...first, prompt: { ...prompt, kind: "answers" } };
    },
  };
}
