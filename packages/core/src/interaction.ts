import { z } from "zod";
import { permissionModes } from "./agent.ts";
import { bounds, recordOf } from "./bounds.ts";
import { type Rejection, reject } from "./error.ts";
import { ok, type Result } from "./result.ts";
import { excess } from "./size.ts";
import { maxPromptBytes } from "./text.ts";
import { approvalKindSchema } from "./tool-kind.ts";

export const scopes = ["once", "session", "project", "always"] as const;
export type Scope = (typeof scopes)[number];

export const questionSchema = z.object({
  id: z.string(),
  header: z.string().optional(),
  question: z.string(),
  options: z.array(
    z.object({
      label: z.string(),
      description: z.string().optional(),
      /** Choosing it prevents what the agent asks about. */
      refuses: z.boolean().optional(),
    }),
  ),
  multiSelect: z.boolean(),
  /** Only the options are valid answers, no free text. */
  closed: z.boolean().optional(),
});
export type Question = z.infer<typeof questionSchema>;

const offerSchema = z.object({
  /** In the agent's own words; absent if they say no more than Approve or Deny. */
  label: z.string().optional(),
  /** The agent remembers this answer beyond the call it is about. */
  remembered: z.boolean().optional(),
});

/** How an agent describes its own ways to approve and to deny. */
export const offersSchema = z.object({ approve: offerSchema.optional(), deny: offerSchema.optional() });
export type Offers = z.infer<typeof offersSchema>;

/** A file before and after a change; `oldText` is null for a new file. */
export const fileDiffSchema = z.looseObject({
  path: z.string(),
  oldText: z.string().nullable(),
  newText: z.string(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

/** An answer is free text, like a message. */
const answerText = z.string().max(maxPromptBytes);
export const answerValueSchema = z.union([answerText, z.array(answerText).max(100)]);
export type Answers = Record<string, string | string[]>;

export const resolutions = ["approved", "denied", "answered", "expired", "cancelled"] as const;
export type Resolution = (typeof resolutions)[number];

/** What a person did about an interaction that expired. */
export const expiryFollowUps = ["asked_again", "dismissed"] as const;
export type ExpiryFollowUp = (typeof expiryFollowUps)[number];

export const interactionSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  sessionName: z.string(),
  agent: z.string(),
  kind: z.enum(["approval", "question"]),
  toolCallId: z.string(),
  turnId: z.string().optional(),
  toolName: z.string().optional(),
  toolKind: approvalKindSchema.optional(),
  title: z.string().optional(),
  input: z.unknown().optional(),
  inputHash: z.string().optional(),
  /** Counts what the agent has asked for under this id: absent at first, 2 after the first change. */
  revision: z.number().optional(),
  /** The input, diffs and questions are too large for this list. The list of its session has them. */
  inputOmitted: z.boolean().optional(),
  /** The changes an agent shows beside its input, as it sent them: an element that is not a file diff is shown too. */
  diffs: z.array(z.union([fileDiffSchema, z.unknown()])).optional(),
  scopes: z.array(z.enum(scopes)),
  offers: offersSchema.optional(),
  questions: z.array(questionSchema).optional(),
  createdAt: z.string(),
  deadline: z.string().optional(),
  remainingMs: z.number().optional(),
  state: z.enum(["open", "resolved"]),
  resolution: z.enum(resolutions).optional(),
  by: z.string().optional(),
  at: z.string().optional(),
  reason: z.string().optional(),
  scope: z.enum(scopes).optional(),
  answers: z.record(z.string(), answerValueSchema).optional(),
  cause: z.enum(["agent_gone", "turn_cancelled"]).optional(),
  followUp: z.enum(expiryFollowUps).optional(),
});
export type Interaction = z.infer<typeof interactionSchema>;

/** Nobody answered it in time, and nobody has dismissed it or asked for it again since. */
export const awaitsFollowUp = ({ resolution, cause, followUp }: Interaction): boolean =>
  resolution === "expired" && cause === undefined && followUp === undefined;

/** Matches a person's answers to the questions by id, header or full text. */
export function matchAnswers(questions: readonly Question[], answers: Answers): Result<Answers, Rejection> {
  // Without a prototype: a question may have the id `constructor`.
  const matched: Answers = Object.create(null);
  for (const [key, value] of Object.entries(answers)) {
    // Ids take precedence: the header of another question may be the same.
    const question =
      questions.find((q) => q.id === key) ?? questions.find((q) => q.header === key || q.question === key);
    if (!question) {
      const known = questions.map((q) => q.id).join(", ");
      return badAnswer(key, `there is no question "${key}"; answer one of: ${known}`);
    }
    if (Array.isArray(value) && !question.multiSelect) {
      return badAnswer(key, `"${question.question}" takes one answer`);
    }
    const unknown = question.closed && [value].flat().find((one) => !optionOf(question, one));
    if (typeof unknown === "string") {
      const labels = question.options.map(({ label }) => `"${label}"`).join(", ");
      return badAnswer(key, `"${unknown}" is not one of its options; choose one of: ${labels}`);
    }
    matched[question.id] = value;
  }
  const open = questions.find((q) => matched[q.id] === undefined);
  if (open) return badAnswer(open.id, `"${open.question}" has no answer; answer all questions at once`);
  return ok(matched);
}

const optionOf = ({ options }: Question, answer: string) => options.find(({ label }) => label === answer);

/** Whether matched answers choose an option that refuses. */
export const refuses = (questions: readonly Question[], answers: Answers): boolean =>
  questions.some((question) =>
    [answers[question.id] ?? []].flat().some((one) => optionOf(question, one)?.refuses === true),
  );

const badAnswer = (key: string, message: string) =>
  reject("BAD_REQUEST", message, { issues: [{ path: `answers.${key}`, message }] });

/** Questions as agents ask them, with ids added if they gave none. */
export function numberQuestions(questions: readonly (Omit<Question, "id"> & { id?: string })[]): Question[] {
  return questions.map((question, index) => ({ ...question, id: question.id ?? `q${index + 1}` }));
}

const toolCallId = z.string().max(bounds.toolCallId);

export const approveSchema = z.strictObject({
  toolCallId,
  scope: z.enum(scopes).default("once"),
  input: z
    .unknown()
    .refine(
      (input) => !excess(input, { size: bounds.input }),
      `it may have ${bounds.input} characters at most`,
    )
    .optional(),
  inputHash: z.string().max(bounds.id).optional(),
  permissionMode: z.enum(permissionModes).optional(),
});
export const followUpSchema = z.strictObject({ toolCallId });
export const denySchema = z.strictObject({
  toolCallId,
  reason: z.string().max(10_000).optional(),
});
export const submitAnswersSchema = z.strictObject({
  toolCallId,
  // A question is named by its id, its header or its full text.
  answers: recordOf(z.string().max(bounds.input), answerValueSchema, bounds.questions),
  inputHash: z.string().max(bounds.id).optional(),
});
