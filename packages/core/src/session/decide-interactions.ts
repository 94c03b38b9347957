import type { PermissionMode } from "../agent.ts";
import { type Rejection, reject } from "../error.ts";
import type { EventBody } from "../event.ts";
import { type Interaction, matchAnswers, refuses } from "../interaction.ts";
import { grantFor, permissionVerdict, scopesOf } from "../permission.ts";
import { ok, type Result } from "../result.ts";
import type { Cause, Command, Decider, Decision, Given } from "./command.ts";
import type { SessionState } from "./state.ts";

type InteractionCommand = Extract<
  Command["type"],
  "ask" | "change_approval" | "approve" | "deny" | "answer" | "expire" | "release"
>;

/** What becomes of an interaction: asked, or settled by a rule at once; then resolved exactly once. */
export const interactionDeciders: { readonly [K in InteractionCommand]: Decider<K> } = {
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
    const { toolName, toolKind, input, diffs, locations, offers, choice } = request;
    const { realPath } = given;
    const needsPerson = choice !== undefined || offers?.approve?.remembered === true;
    const real = realPath ? { realPath } : {};
    const ask = { toolName, toolKind, input, diffs, locations, needsPerson, ...real };
    const interaction: Interaction = {
      ...common,
      toolName,
      toolKind,
      input,
      inputHash: hashOf({ input, diffs }, given),
      ...(diffs ? { diffs } : {}),
      ...(choice
        ? { kind: "question", scopes: [], questions: [choice] }
        : {
            kind: "approval",
            scopes: needsPerson ? ["once"] : scopesOf(ask),
            ...(offers ? { offers } : {}),
          }),
    };
    const verdict = permissionVerdict(ask, given.session.permissionMode, given.session.grants);
    if (verdict.verdict === "ask") {
      const asked: EventBody = choice
        ? { type: "question_prompt", ...interaction }
        : { type: "approval_required", ...interaction };
      return ok({ events: [asked], interaction });
    }
    const resolution = verdict.verdict === "allow" ? "approved" : "denied";
    const by = `rule:${verdict.rule}`;
    return ok({
      events: [resolve(interaction, { resolution, by, ...deliveredReason(verdict.reason, given) })],
      interaction,
    });
  },

  change_approval(state, { toolCallId, input, diffs }, given) {
    const shown = { input, ...(diffs ? { diffs } : {}), inputHash: hashOf({ input, diffs }, given) };
    const changed = state.interactions.filter(
      (i) => i.toolCallId === toolCallId && i.inputHash !== shown.inputHash,
    );
    return ok({
      events: changed.map(({ input: _input, diffs: _diffs, ...before }) => {
        // Where its paths lead is not known.
        return before.kind === "approval"
          ? { type: "approval_required", ...before, ...shown, scopes: ["once"] }
          : { type: "question_prompt", ...before, ...shown };
      }),
    });
  },

  approve(state, command, given) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    const interaction = found.value;
    if (isOutdated(command, interaction)) return inputChanged;
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
    const { toolName = "tool", toolKind = "other", diffs } = interaction;
    // A grant is for what will run, not for what was asked before somebody amended it.
    const ask = { toolName, toolKind, input: amended ?? interaction.input, diffs };
    // What was offered knew where links lead.
    const scopes = scopesOf(ask).filter(
      (scope) => interaction.scopes.includes(scope) || amended !== undefined,
    );
    if (!scopes.includes(command.scope)) {
      return reject("UNSUPPORTED", `This approval can be given for: ${scopes.join(", ")}`, {
        what: `scope ${command.scope}`,
      });
    }
    const grant = command.scope === "session" ? grantFor(ask) : undefined;
    return ok({
      events: [resolve(interaction, { resolution: "approved", by: command.by, scope: command.scope })],
      interaction,
      ...(amended === undefined ? {} : { amendedInput: amended }),
      ...(grant ? { grant } : {}),
      ...modeAfter(interaction, command.permissionMode, given),
    });
  },

  deny(state, command, given) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    const reason = deliveredReason(command.reason, given);
    return ok({
      events: [resolve(found.value, { resolution: "denied", by: command.by, ...reason })],
      interaction: found.value,
    });
  },

  answer(state, command, given) {
    const found = findOpen(state, command.toolCallId, "question");
    if (!found.ok) return found;
    if (isOutdated(command, found.value)) return inputChanged;
    const { questions = [] } = found.value;
    const answers = matchAnswers(questions, command.answers);
    if (!answers.ok) return answers;
    const isRefusal = refuses(questions, answers.value);
    const resolution = isRefusal ? "denied" : "answered";
    return ok({
      events: [resolve(found.value, { resolution, by: command.by, answers: answers.value })],
      interaction: found.value,
      ...(isRefusal ? {} : modeAfter(found.value, undefined, given)),
    });
  },

  expire(state, { interactionId, reason }, given) {
    const interaction = state.interactions.find((i) => i.id === interactionId);
    if (!interaction) return ok({ events: [] });
    return ok({
      events: [
        resolve(interaction, { resolution: "expired", by: "server", ...deliveredReason(reason, given) }),
      ],
      interaction,
    });
  },

  release: (state, { cause }) => ok({ events: cancelInteractions(state, cause) }),
};

const isOutdated = ({ inputHash: seen }: { inputHash?: string }, { inputHash }: Interaction): boolean =>
  seen !== undefined && seen !== inputHash;

const inputChanged = reject(
  "INPUT_CHANGED",
  "The input is no longer the one you saw; look at it again and decide",
);

/** Of everything that a person is shown. */
const hashOf = ({ input, diffs }: Pick<Interaction, "input" | "diffs">, given: Given): string =>
  given.hash(diffs ? { input, diffs } : input);

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
function deliveredReason(
  reason: string | undefined,
  given: Given,
): { reason?: string; reasonDelivered?: boolean } {
  return reason ? { reason, reasonDelivered: given.session.denyReasonReachesAgent } : {};
}

const isInput = (input: unknown): boolean =>
  typeof input === "object" && input !== null && !Array.isArray(input);

/** Who approves a plan wants it carried out: planning ends, unless a mode was chosen. */
function modeAfter(
  { toolKind }: Interaction,
  chosen: PermissionMode | undefined,
  given: Given,
): Pick<Decision, "permissionMode"> {
  if (chosen) return { permissionMode: chosen };
  return toolKind === "plan" && given.session.permissionMode === "plan" ? { permissionMode: "ask" } : {};
}

/** What a turn that ends leaves open ends with it. */
export function cancelInteractions(state: SessionState, cause: Cause): EventBody[] {
  const resolution = cause === "agent_gone" ? "expired" : "cancelled";
  return state.interactions.map((i) => resolve(i, { resolution, by: "server", cause }));
}
