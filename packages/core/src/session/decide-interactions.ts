import type { PermissionMode } from "../agent.ts";
import { callKind, isChangeGate } from "../approval-kind.ts";
import { type Rejection, reject } from "../error.ts";
import type { EventBody } from "../event.ts";
import { type Interaction, matchAnswers, refuses } from "../interaction.ts";
import { grantFor, permissionVerdict, scopesOf } from "../permission.ts";
import { ok, type Result } from "../result.ts";
import { isSignalQuestion } from "../worker/signal-question.ts";
import type { Command, Decider, Decision, DecisionContext } from "./command.ts";
import { denyChanges } from "./decide-changes.ts";
import { continueWithAnswers } from "./decide-signal.ts";
import { cancelInteractions, deliveredReason, resolve } from "./settle-interaction.ts";
import type { SessionState } from "./state.ts";

type InteractionCommand = Extract<
  Command["type"],
  "ask" | "change_approval" | "approve" | "deny" | "answer" | "expire" | "withdraw" | "release"
>;

/** The life of an interaction: asked, or settled by a rule at once; then resolved exactly once. */
export const interactionDeciders: { readonly [K in InteractionCommand]: Decider<K> } = {
  ask(state, { request, toolCallId }, context) {
    const id = context.newId("interaction");
    const common = {
      id,
      sessionId: context.session.id,
      sessionName: context.session.name,
      agent: context.session.agent,
      toolCallId: toolCallId ?? id,
      ...(state.turn ? { turnId: state.turn.id } : {}),
      title: request.title,
      createdAt: context.now,
      ...deadlineIn(context),
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
    const { realPath, isOutside } = context;
    const needsPerson = choice !== undefined || offers?.approve?.remembered === true;
    const { worker, cwd } = context.session;
    const places = {
      ...(realPath ? { realPath } : {}),
      ...(isOutside ? { isOutside } : {}),
      ...(worker ? { worker } : {}),
    };
    const ask = { toolName, toolKind, input, diffs, locations, needsPerson, cwd, ...places };
    const interaction: Interaction = {
      ...common,
      toolName,
      toolKind,
      input,
      inputHash: hashOf({ input, diffs }, context),
      ...(diffs ? { diffs } : {}),
      ...(choice
        ? { kind: "question", scopes: [], questions: [choice] }
        : {
            kind: "approval",
            scopes: needsPerson ? ["once"] : scopesOf(ask),
            ...(offers ? { offers } : {}),
          }),
    };
    const verdict = permissionVerdict(ask, context.session.permissionMode, context.session.grants);
    if (verdict.verdict === "ask") {
      const asked: EventBody = choice
        ? { type: "question_prompt", ...interaction }
        : { type: "approval_required", ...interaction };
      return ok({ events: [asked], interaction });
    }
    const resolution = verdict.verdict === "allow" ? "approved" : "denied";
    const by = `rule:${verdict.rule}`;
    return ok({
      events: [resolve(interaction, { resolution, by, ...deliveredReason(verdict.reason, context) })],
      interaction,
    });
  },

  change_approval(state, { toolCallId, title, input, diffs }, context) {
    const inputHash = hashOf({ input, diffs }, context);
    const shown = { ...(title ? { title } : {}), input, ...(diffs ? { diffs } : {}), inputHash };
    const changed = state.interactions.filter(
      (i) => i.toolCallId === toolCallId && i.inputHash !== inputHash,
    );
    return ok({
      events: changed.map(({ input: _input, diffs: _diffs, revision = 1, ...before }) => {
        const now = { ...before, ...shown, revision: revision + 1 };
        // It is unknown where its paths lead.
        return before.kind === "approval"
          ? { type: "approval_required", ...now, scopes: ["once"] }
          : { type: "question_prompt", ...now };
      }),
    });
  },

  approve(state, command, context) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    const interaction = found.value;
    if (isOutdated(command, interaction)) return inputChanged;
    const amended = command.input;
    if (amended !== undefined && !context.session.canAmend) {
      return reject("UNSUPPORTED", "This agent does not accept amended input; deny with a reason instead", {
        what: "amended input",
      });
    }
    if (amended !== undefined && !isInput(amended)) {
      const message = "An amended input must be an object, like the one it replaces";
      return reject("BAD_REQUEST", message, { issues: [{ path: "input", message }] });
    }
    if (command.permissionMode && interaction.toolKind !== "plan") {
      return reject("UNSUPPORTED", "A permission mode can only be set with the approval of a plan", {
        what: "permissionMode",
      });
    }
    const { toolName = "tool", diffs } = interaction;
    const toolKind = callKind(interaction.toolKind);
    // A grant covers what will run, not what was asked before it was amended.
    const ask = { toolName, toolKind, input: amended ?? interaction.input, diffs };
    // The offered scopes take into account where links lead.
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
      ...modeAfter(interaction, command.permissionMode, context),
    });
  },

  deny(state, command, context) {
    const found = findOpen(state, command.toolCallId, "approval");
    if (!found.ok) return found;
    if (isChangeGate(found.value))
      return denyChanges(state, { ...command, interaction: found.value }, context);
    const reason = deliveredReason(command.reason, context);
    return ok({
      events: [resolve(found.value, { resolution: "denied", by: command.by, ...reason })],
      interaction: found.value,
    });
  },

  answer(state, command, context) {
    const found = findOpen(state, command.toolCallId, "question");
    if (!found.ok) return found;
    if (isOutdated(command, found.value)) return inputChanged;
    const { questions = [] } = found.value;
    const answers = matchAnswers(questions, command.answers);
    if (!answers.ok) return answers;
    const isRefusal = refuses(questions, answers.value);
    const resolution = isRefusal ? "denied" : "answered";
    const events = [resolve(found.value, { resolution, by: command.by, answers: answers.value })];
    if (isSignalQuestion(found.value)) {
      const answered = { questions, answers: answers.value, by: command.by };
      const { begin, events: more } = continueWithAnswers(state, answered, context);
      events.push(...more);
      const attempt = begin && { attempt: begin(state.lastSeq + events.length) };
      return ok({ events, interaction: found.value, ...attempt });
    }
    return ok({
      events,
      interaction: found.value,
      ...(isRefusal ? {} : modeAfter(found.value, undefined, context)),
    });
  },

  expire(state, { interactionId, reason }, context) {
    const interaction = state.interactions.find((i) => i.id === interactionId);
    if (!interaction) return ok({ events: [] });
    return ok({
      events: [
        resolve(interaction, { resolution: "expired", by: "server", ...deliveredReason(reason, context) }),
      ],
      interaction,
    });
  },

  withdraw(state, { interactionId }) {
    const interaction = state.interactions.find((i) => i.id === interactionId);
    if (!interaction) return ok({ events: [] });
    return ok({ events: [resolve(interaction, { resolution: "cancelled", by: "server" })], interaction });
  },

  release: (state, { cause }) => ok({ events: cancelInteractions(state, cause) }),
};

function deadlineIn({
  now,
  interactionTimeoutMs: remainingMs,
}: DecisionContext): Pick<Interaction, "deadline" | "remainingMs"> {
  if (remainingMs === 0) return {};
  return { deadline: new Date(Date.parse(now) + remainingMs).toISOString(), remainingMs };
}

const isOutdated = ({ inputHash: seen }: { inputHash?: string }, { inputHash }: Interaction): boolean =>
  seen !== undefined && seen !== inputHash;

const inputChanged = reject("INPUT_CHANGED", "The input has changed since you saw it; review it again");

/** Covers everything that a person is shown. */
const hashOf = ({ input, diffs }: Pick<Interaction, "input" | "diffs">, context: DecisionContext): string =>
  context.hash(diffs ? { input, diffs } : input);

function findOpen(
  state: SessionState,
  toolCallId: string,
  kind: Interaction["kind"],
): Result<Interaction, Rejection> {
  const open = state.interactions.filter((i) => i.kind === kind);
  const found = open.find((i) => i.id === toolCallId) ?? open.find((i) => i.toolCallId === toolCallId);
  return found
    ? ok(found)
    : reject("NOT_FOUND", `No open ${kind} has this id; see GET /api/interactions`, {
        what: kind,
      });
}

const isInput = (input: unknown): boolean =>
  typeof input === "object" && input !== null && !Array.isArray(input);

/** Approving a plan means carrying it out: planning ends, unless a mode was chosen. */
function modeAfter(
  { toolKind }: Interaction,
  chosen: PermissionMode | undefined,
  context: DecisionContext,
): Pick<Decision, "permissionMode"> {
  if (chosen) return { permissionMode: chosen };
  return toolKind === "plan" && context.session.permissionMode === "plan" ? { permissionMode: "ask" } : {};
}
