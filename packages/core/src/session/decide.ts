import type { PermissionMode } from "../agent.ts";
import { type Rejection, reject } from "../error.ts";
import type { DoneReason, EventBody, QueuedMessage } from "../event.ts";
import { grantFor, type Interaction, matchAnswers, permissionVerdict, scopesOf } from "../interaction.ts";
import { ok, type Result } from "../result.ts";
import type { Cause, Command, Decision, Given } from "./command.ts";
import { moveQueued } from "./queue.ts";
import type { SessionState } from "./state.ts";

type Decider<K extends Command["type"]> = (
  state: SessionState,
  command: Extract<Command, { type: K }>,
  given: Given,
) => Result<Decision, Rejection>;

const deciders: { readonly [K in Command["type"]]: Decider<K> } = {
  send(state, command, given) {
    const busy = state.turn !== undefined || given.session.mustWait;
    if (busy && command.strict && state.turn) {
      const { lockedBy, startedAt } = state.turn;
      return reject("SESSION_LOCKED", `${lockedBy} has a turn running; wait for its end or interrupt it`, {
        lockedBy,
        lockedAt: startedAt,
      });
    }
    const message: QueuedMessage = {
      messageId: given.newId("message"),
      content: command.content,
      by: command.by,
      at: given.now,
      ...(command.clientId ? { clientId: command.clientId } : {}),
    };
    const receipt = {
      messageId: message.messageId,
      ...(command.clientMessageId ? { clientMessageId: command.clientMessageId } : {}),
      sessionId: given.session.id,
      requested: command.requested,
      cursor: state.lastSeq,
    };
    if (!busy && state.queue.length === 0) {
      const started = startTurn(message, given);
      const unpause: EventBody[] = state.queuePaused ? [queueUpdate(false, [])] : [];
      return ok({
        events: [...unpause, ...started.events],
        receipt: {
          ...receipt,
          turnId: started.turnId,
          queuePosition: 0,
          applied: "started",
          ...(command.requested === "steer" ? { degradedBecause: "idle" } : {}),
        },
      });
    }
    if (state.queue.length >= given.queueMax) {
      return reject(
        "QUEUE_FULL",
        `${given.queueMax} messages wait already; drop one or wait for a turn to end`,
        {
          limit: given.queueMax,
        },
      );
    }
    return ok({
      events: [queueUpdate(state.queuePaused, [...state.queue, message])],
      receipt: {
        ...receipt,
        queuePosition: state.queue.length + 1,
        applied: "queued",
        ...(command.requested === "steer" ? { degradedBecause: "unsupported" } : {}),
      },
    });
  },

  start_next(state, _command, given) {
    const [next, ...rest] = state.queue;
    if (!next || state.turn || state.queuePaused || given.session.mustWait) return ok({ events: [] });
    return ok({ events: [queueUpdate(false, rest), ...startTurn(next, given).events] });
  },

  edit_queued(state, { messageId, edit }) {
    const edited = moveQueued(state.queue, messageId, edit);
    return edited.ok ? ok({ events: [queueUpdate(state.queuePaused, edited.value)] }) : edited;
  },

  drop_queued(state, { messageId }) {
    if (!state.queue.some((m) => m.messageId === messageId)) return notQueued(state, messageId);
    return ok({
      events: [
        queueUpdate(
          state.queuePaused,
          state.queue.filter((m) => m.messageId !== messageId),
        ),
      ],
    });
  },

  set_paused(state, { paused }) {
    return ok({ events: state.queuePaused === paused ? [] : [queueUpdate(paused, state.queue)] });
  },

  interrupt(state) {
    if (!state.turn) return ok({ events: [] });
    const pause: EventBody[] =
      state.queue.length > 0 && !state.queuePaused ? [queueUpdate(true, state.queue)] : [];
    return ok({ events: [...cancelInteractions(state, "turn_cancelled"), ...pause] });
  },

  tell(state, { state: told, reason }) {
    if (state.told === told && !reason) return ok({ events: [] });
    const turn = state.turn ? { turnId: state.turn.id } : {};
    return ok({ events: [{ type: "session_status", ...turn, state: told, ...(reason ? { reason } : {}) }] });
  },

  ask(state, { request, toolCallId }, given) {
    const id = given.newId("interaction");
    const common = {
      id,
      sessionId: given.session.id,
      sessionName: given.session.name,
      agent: given.session.agent,
      toolCallId: toolCallId ?? id,
      ...(state.turn ? { turnId: state.turn.id } : {}),
      title: request.title,
      createdAt: given.now,
      deadline: new Date(Date.parse(given.now) + given.interactionTimeoutMs).toISOString(),
      remainingMs: given.interactionTimeoutMs,
      state: "open" as const,
    };
    if (request.type === "question_request") {
      const interaction: Interaction = {
        ...common,
        kind: "question",
        scopes: [],
        questions: request.questions,
      };
      return ok({ events: [{ type: "question_prompt", ...interaction }], interaction });
    }
    const { toolName, toolKind, input, diffs } = request;
    const ask = { toolName, toolKind, input };
    const interaction: Interaction = {
      ...common,
      kind: "approval",
      toolName,
      toolKind,
      input,
      inputHash: given.hash(input),
      ...(diffs ? { diffs } : {}),
      scopes: scopesOf(ask),
    };
    const verdict = permissionVerdict(ask, given.session.permissionMode, given.session.grants);
    if (verdict.verdict === "ask") {
      return ok({ events: [{ type: "approval_required", ...interaction }], interaction });
    }
    const resolution = verdict.verdict === "allow" ? "approved" : "denied";
    const by = `rule:${verdict.rule}`;
    return ok({
      events: [resolve(interaction, { resolution, by, ...told(verdict.reason, given) })],
      interaction,
    });
  },

  approve(state, command, given) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    const interaction = found.value;
    if (command.inputHash !== undefined && command.inputHash !== interaction.inputHash) {
      return reject("INPUT_CHANGED", "The input is no longer the one you saw; look at it again and decide");
    }
    const amended = command.input;
    if (amended !== undefined && !given.session.canAmend) {
      return reject("UNSUPPORTED", "This agent cannot take an amended input; deny with a reason instead", {
        what: "amended input",
      });
    }
    if (amended !== undefined && !isInput(amended)) {
      const message = "An amended input is an object, like the one it takes the place of";
      return reject("BAD_REQUEST", message, { issues: [{ path: "input", message }] });
    }
    if (command.permissionMode && interaction.toolKind !== "plan") {
      return reject("UNSUPPORTED", "A permission mode can be set with the approval of a plan only", {
        what: "permissionMode",
      });
    }
    const { toolName = "tool", toolKind = "other" } = interaction;
    // What runs is what is remembered.
    const ask = { toolName, toolKind, input: amended ?? interaction.input };
    const scopes = scopesOf(ask);
    if (!scopes.includes(command.scope)) {
      return reject("UNSUPPORTED", `This approval can be given for: ${scopes.join(", ")}`, {
        what: `scope ${command.scope}`,
      });
    }
    const grant = command.scope === "session" ? grantFor(ask) : undefined;
    return ok({
      events: [resolve(interaction, { resolution: "approved", by: command.by, scope: command.scope })],
      interaction,
      ...(grant ? { grant } : {}),
      ...modeAfter(interaction, command.permissionMode, given),
    });
  },

  deny(state, command, given) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    const reason = told(command.reason, given);
    return ok({
      events: [resolve(found.value, { resolution: "denied", by: command.by, ...reason })],
      interaction: found.value,
    });
  },

  answer(state, command) {
    const found = findOpen(state, command.toolCallId, "question");
    if (!found.ok) return found;
    const answers = matchAnswers(found.value.questions ?? [], command.answers);
    if (!answers.ok) return answers;
    return ok({
      events: [resolve(found.value, { resolution: "answered", by: command.by, answers: answers.value })],
      interaction: found.value,
    });
  },

  expire(state, { interactionId, reason }, given) {
    const interaction = state.interactions.find((i) => i.id === interactionId);
    if (!interaction) return ok({ events: [] });
    return ok({
      events: [resolve(interaction, { resolution: "expired", by: "server", ...told(reason, given) })],
      interaction,
    });
  },

  end_turn(state, command) {
    if (state.turn?.id !== command.turnId) return ok({ events: [] });
    const { turnId, reason, fault } = command;
    const error: EventBody[] = fault ? [{ type: "error", turnId, ...fault.toWire() }] : [];
    const done: EventBody = {
      type: "done",
      turnId,
      reason,
      ok: reason === "end_turn" || reason === "waiting_for_input",
      partial: !wholeEndings.includes(reason),
      ...(fault ? { error: fault.toWire() } : {}),
      ...(command.usage ? { usage: command.usage } : {}),
    };
    return ok({ events: [...cancelInteractions(state, command.cause), ...error, done] });
  },
};

/** Endings at which the agent itself stopped speaking: what it said is whole. */
const wholeEndings: readonly DoneReason[] = [
  "end_turn",
  "waiting_for_input",
  "max_tokens",
  "max_turns",
  "refusal",
];

/** Pure: what a command makes of a session, or why not. */
export function decide<K extends Command["type"]>(
  state: SessionState,
  command: Extract<Command, { type: K }>,
  given: Given,
): Result<Decision, Rejection> {
  const decider = deciders[command.type as K];
  return decider(state, command, given);
}

function startTurn(message: QueuedMessage, given: Given): { events: EventBody[]; turnId: string } {
  const turnId = given.newId("turn");
  const { messageId, content, by } = message;
  return {
    turnId,
    events: [
      { type: "turn_start", turnId, messageId, lockedBy: message.clientId ?? by },
      { type: "message", turnId, itemId: given.newId("item"), messageId, content, by },
    ],
  };
}

const queueUpdate = (paused: boolean, messages: readonly QueuedMessage[]): EventBody => ({
  type: "queue_update",
  paused,
  messages: [...messages],
});

function notQueued(state: SessionState, messageId: string): Result<never, Rejection> {
  if (state.turn?.messageId === messageId) {
    return reject("NOT_QUEUED", "That message is running already; interrupt the turn instead");
  }
  return reject("NOT_QUEUED", "That message does not wait in this queue; list the queue to see what does");
}

function findOpen(
  state: SessionState,
  toolCallId: string,
  kind: Interaction["kind"],
): Result<Interaction, Rejection> {
  const found = state.interactions.find(
    (i) => i.kind === kind && (i.toolCallId === toolCallId || i.id === toolCallId),
  );
  return found
    ? ok(found)
    : reject("NOT_FOUND", `No open ${kind} has that id; list what is open with GET /api/interactions`, {
        what: kind,
      });
}

function resolve(
  interaction: Interaction,
  how: Omit<
    Extract<EventBody, { type: "interaction_resolved" }>,
    "type" | "turnId" | "interactionId" | "toolCallId" | "kind"
  >,
): EventBody {
  const { id, toolCallId, kind, turnId } = interaction;
  const turn = turnId ? { turnId } : {};
  return { type: "interaction_resolved", ...turn, interactionId: id, toolCallId, kind, ...how };
}

/** A reason, and whether the agent itself hears of it. */
function told(reason: string | undefined, given: Given): { reason?: string; reasonDelivered?: boolean } {
  return reason ? { reason, reasonDelivered: given.session.denyReasonReachesAgent } : {};
}

/** Who approves a plan wants it carried out: planning ends, unless a mode was chosen. */
const isInput = (input: unknown): boolean =>
  typeof input === "object" && input !== null && !Array.isArray(input);

function modeAfter(
  { toolKind }: Interaction,
  chosen: PermissionMode | undefined,
  given: Given,
): Pick<Decision, "permissionMode"> {
  if (chosen) return { permissionMode: chosen };
  return toolKind === "plan" && given.session.permissionMode === "plan" ? { permissionMode: "ask" } : {};
}

function cancelInteractions(state: SessionState, cause: Cause): EventBody[] {
  const resolution = cause === "agent_gone" ? "expired" : "cancelled";
  return state.interactions.map((i) => resolve(i, { resolution, by: "server", cause }));
}
