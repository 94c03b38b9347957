import { CreateElicitationResponse, type ElicitationPropertySchema, methods } from "@agentclientprotocol/sdk";
import { messageOf } from "./text.ts";
import type { Turn } from "./turn.ts";

/** Asks a question and returns the result as Markdown: the answer, or why there is none. */
export async function askQuestion(question: string, options: readonly string[], turn: Turn): Promise<string> {
  const answer: ElicitationPropertySchema = {
    type: "string",
    title: question,
    ...(options.length > 0 ? { oneOf: options.map((option) => ({ const: option, title: option })) } : {}),
  };
  let response: CreateElicitationResponse;
  try {
    response = await turn.client.request(
      methods.client.elicitation.create,
      {
        mode: "form",
        sessionId: turn.sessionId,
        message: question,
        requestedSchema: { type: "object", properties: { q1: answer }, required: ["q1"] },
      },
      { cancellationSignal: turn.signal, stopWaitingOnCancel: true },
    );
  } catch (error) {
    turn.signal.throwIfAborted();
    return `The question could not be asked: ${messageOf(error)}`;
  }
  if (!CreateElicitationResponse.isAccept(response)) return `No answer (${response.action})`;
  const chosen = response.content?.["q1"];
  return chosen === undefined ? "No answer (empty)" : `You chose: ${String(chosen)}`;
}
