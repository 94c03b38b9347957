import { type Answers, isSignalQuestion, ok, type Rejection, type Result, reject } from "@drover/core";
import type { Caller } from "../../service.ts";
import type { EngineContext } from "../context.ts";
import { interactionsService } from "../service/interactions.ts";
import type { SessionActor } from "../session/actor.ts";

/** Answers the questions a worker ended its run with: the same as submitting them for that interaction. */
export async function answerWorker(
  context: EngineContext,
  actor: SessionActor,
  { answers, caller }: { readonly answers: Answers; readonly caller: Caller },
): Promise<Result<void, Rejection>> {
  const { row } = actor.journal;
  if (row.about.kind !== "worker") {
    const message = "Only workers are resumed with answers; answer a session's question by its id";
    return reject("UNSUPPORTED", message, { what: "answers" });
  }
  if (caller.by.startsWith("agent:")) {
    const message = "This request comes from an agent. Only a person may answer a worker's questions.";
    return reject("AGENT_CANNOT_ANSWER", message);
  }
  const asked = row.state.interactions.find(isSignalQuestion);
  const toolCallId = asked?.id ?? (await lastAsked(context, actor));
  if (toolCallId === undefined) {
    return reject("NOT_FOUND", `${row.name} has not asked anything; send it a message instead`, {
      what: "question",
    });
  }
  const settled = await interactionsService(context).answer(actor.id, { toolCallId, answers }, caller);
  return settled.ok ? ok(undefined) : settled;
}

/** Somebody else may have been faster. */
async function lastAsked({ deps }: EngineContext, { id }: SessionActor): Promise<string | undefined> {
  const found = await deps.store.interactions({ state: "resolved", sessionId: id });
  return found.filter(isSignalQuestion).at(-1)?.id;
}
