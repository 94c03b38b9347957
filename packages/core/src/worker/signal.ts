import { z } from "zod";
import { type Question, questionSchema } from "../interaction.ts";
import { excess, sizeOf } from "../size.ts";

export const signalStatuses = ["done", "questions", "error"] as const;

/** What a worker reported at the end of a run, as clients see it. `result` is what it handed over, in its own form. */
export const signalSchema = z.object({
  run: z.number(),
  status: z.enum(signalStatuses),
  result: z.unknown().optional(),
  error: z.string().optional(),
});
export type SignalReport = z.infer<typeof signalSchema>;

/** A signal that can be acted upon. */
export type Signal =
  | { readonly status: "done"; readonly result?: unknown }
  | { readonly status: "error"; readonly error: string }
  | { readonly status: "questions"; readonly questions: readonly Question[] };

/** `isBroken`: the text is no JSON, so it may be half written. `problem` completes "The signal …". */
export type ParsedSignal =
  | { readonly ok: true; readonly signal: Signal }
  | { readonly ok: false; readonly problem: string; readonly isBroken?: true };

/** A signal file has at most this many bytes. */
export const maxSignalBytes = 1024 * 1024;

const limits = { questions: 20, options: 20, question: 10_000, label: 1_000, error: 10_000, result: 16_384 };

const text = z.string().trim();
const optionField = z.union([
  text.min(1).transform((label) => ({ label })),
  z.object({ label: text.min(1), description: z.string().optional() }),
]);
const questionField = z.object({
  id: z.union([text, z.number().transform(String)]).optional(),
  header: text.optional(),
  question: text.min(1),
  options: z.array(optionField).max(limits.options).default([]),
  multiSelect: z.boolean().default(false),
});

const signalField = z.discriminatedUnion("status", [
  z.object({ status: z.literal("done"), result: z.unknown().optional() }),
  z.object({ status: z.literal("error"), error: text.min(1) }),
  z.object({
    status: z.literal("questions"),
    questions: z.array(questionField).min(1).max(limits.questions),
  }),
]);

/** Reads the content of a signal file, or of a fenced block. */
export function parseSignal(content: string): ParsedSignal {
  let value: unknown;
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ""));
  } catch {
    return { ok: false, problem: "is not valid JSON", isBroken: true };
  }
  if (excess(value, { size: Number.POSITIVE_INFINITY }) === "deep")
    return { ok: false, problem: "is nested too deeply" };
  const parsed = signalField.safeParse(value);
  if (!parsed.success) return { ok: false, problem: problemOf(value, parsed.error) };
  const { data } = parsed;
  if (data.status === "questions")
    return { ok: true, signal: { status: data.status, questions: normalised(data.questions) } };
  if (data.status === "error")
    return { ok: true, signal: { status: data.status, error: cleanText(data.error, limits.error) } };
  const result = boundedResult(data.result);
  return { ok: true, signal: { status: data.status, ...(result === undefined ? {} : { result }) } };
}

function problemOf(value: unknown, { issues }: z.ZodError): string {
  const [issue] = issues;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) return "is not a JSON object";
  if (issue?.path[0] === "status" || !issue) return `needs a "status": ${signalStatuses.join(", ")}`;
  return `has an invalid "${issue.path.join(".")}": ${issue.message}`;
}

/** Every question gets an id of its own: one without gets its number, and one whose id is taken a counter. */
function normalised(questions: readonly z.infer<typeof questionField>[]): Question[] {
  const taken = new Set<string>();
  return questions.map(({ id, header, question, options, multiSelect }, at) => {
    const wanted = id ? cleanText(id, 100) : `q${at + 1}`;
    let unique = wanted;
    for (let n = 2; taken.has(unique); n += 1) unique = `${wanted}~${n}`;
    taken.add(unique);
    return questionSchema.parse({
      id: unique,
      ...(header ? { header: cleanText(header, limits.label) } : {}),
      question: cleanText(question, limits.question),
      options: options.map((option) => ({ ...option, label: cleanText(option.label, limits.label) })),
      multiSelect,
    });
  });
}

/** A result is stored with the session. One that is too large for that is kept as the beginning of its text. */
function boundedResult(result: unknown): unknown {
  if (result === undefined || result === null) return undefined;
  if (typeof result === "string") return cleanText(result, limits.result);
  return sizeOf(result) > limits.result ? cleanText(JSON.stringify(result), limits.result) : result;
}

/** The beginning of a text, without characters that no stored text may contain. */
export function cleanText(text: string, max: number): string {
  const cut =
    text.length > max ? `${text.slice(0, max)}\n[… ${text.length - max} characters left out]` : text;
  return cut.replaceAll("\0", "").toWellFormed();
}

const opening = /^ {0,3}```drover-signal[ \t]*$/;
const closing = /^ {0,3}```[ \t]*$/;

/** The content of the last block that an agent fenced as a signal in what it said. One that is never closed is none. */
export function fencedSignal(said: string): string | undefined {
  let found: string | undefined;
  let block: string[] | undefined;
  for (const line of said.split(/\r?\n/)) {
    if (opening.test(line)) block = [];
    else if (block && closing.test(line)) {
      found = block.join("\n");
      block = undefined;
    } else block?.push(line);
  }
  return found;
}
