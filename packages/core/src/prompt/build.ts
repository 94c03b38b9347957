import { type Rejection, reject } from "../error.ts";
import { ok, type Result } from "../result.ts";
import { maxPromptBytes, utf8Length } from "../text.ts";
import { type Budget, fit, mergeSystem, type Parts } from "./fit.ts";
import {
  type ContextEntry,
  entryHead,
  isForgeable,
  marker,
  nonceFor,
  type SectionName,
  type Sections,
  sectionGap,
  sectionNames,
} from "./markers.ts";

export interface PromptInput {
  readonly system?: string | undefined;
  /** The text of the instruction file. */
  readonly instructionFile?: string | undefined;
  readonly context?: readonly ContextEntry[] | undefined;
  readonly message: string;
  /** `flag`: the agent takes its system text separately from the prompt. */
  readonly style: "flag" | "sections";
  readonly maxBytes?: number | undefined;
  /** How many of the context's last entries are included. */
  readonly contextEntries?: number | undefined;
}

export interface TurnPromptInput extends PromptInput {
  readonly runtime: string;
}

export interface BuiltPrompt {
  readonly prompt: string;
  /** The system text for the agent's own flag; then it is not in the prompt. */
  readonly systemFlag?: string;
}

/** What one argument holds safely; Linux rejects one over 128 KiB. */
export const maxArgumentBytes = 102_400;

/**
 * One prompt from system text, context and message, each under its marker and verbatim. If something in them could be
 * taken for a marker, the real ones carry a nonce that occurs nowhere else. `splitPrompt` is the inverse.
 */
export function buildPrompt(input: PromptInput): Result<BuiltPrompt, Rejection> {
  return build(input, { runtime: "", maxBytes: input.maxBytes ?? maxPromptBytes });
}

/**
 * The prompt of a turn. `runtime` is Drover's own description of the agent's environment: it goes before the system
 * text and does not count towards the budget. Neither do markers if a message has no system text beside it: a person's
 * message may be as large as the whole budget, and earlier context gives way to it.
 */
export function buildTurnPrompt(input: TurnPromptInput): Result<BuiltPrompt, Rejection> {
  const { runtime, maxBytes = maxPromptBytes } = input;
  const built = build(input, { runtime, maxBytes });
  if (built.ok || input.system || input.instructionFile) return built;
  const bytes = utf8Length(input.message);
  if (bytes > maxBytes) return tooLarge({ bytes, maxBytes, systemBytes: 0, messageBytes: bytes });
  return build({ ...input, context: [] }, { runtime, maxBytes: Number.POSITIVE_INFINITY });
}

/** System text for an agent that takes it separately from its prompts, with a long instruction file shortened. */
export function fitSystemText(
  { runtime = "", system = "", instructionFile = "" }: Partial<Omit<TurnPromptInput, "message" | "style">>,
  maxBytes = maxPromptBytes,
): string {
  const parts = { system, instructions: instructionFile, context: [], message: "" };
  return mergeSystem(runtime, fit(parts, { maxBytes, nonced: false }).sections.system);
}

function build(
  { system = "", instructionFile = "", context = [], message, style, contextEntries = 10 }: PromptInput,
  { runtime, maxBytes }: { runtime: string; maxBytes: number },
): Result<BuiltPrompt, Rejection> {
  const whole = mergeSystem(runtime, system, instructionFile);
  const isFlag = style === "flag" && utf8Length(whole) <= maxArgumentBytes;
  const parts: Parts = {
    ...(isFlag ? { system: "", instructions: "" } : { system, instructions: instructionFile }),
    context: contextEntries > 0 ? context.slice(-contextEntries) : [],
    message,
  };
  const fitted = fitMarked(parts, maxBytes);
  if (fitted.bytes > maxBytes) {
    const systemBytes = utf8Length(fitted.sections.system);
    return tooLarge({ bytes: fitted.bytes, maxBytes, systemBytes, messageBytes: utf8Length(message) });
  }
  const { sections, nonced } = fitted;
  const framed = isFlag ? sections : { ...sections, system: mergeSystem(runtime, sections.system) };
  const prompt = compose(framed, nonced || isForgeable(framed));
  return ok(isFlag && whole ? { prompt, systemFlag: whole } : { prompt });
}

/** Fits with plain markers, or with room for nonces if the content could be taken for a marker. */
function fitMarked(parts: Parts, maxBytes: number) {
  const plain: Budget = { maxBytes, nonced: false };
  const fitted = fit(parts, plain);
  if (fitted.bytes > maxBytes || !isForgeable(fitted.sections)) return { ...fitted, nonced: false };
  return { ...fit(parts, { maxBytes, nonced: true }), nonced: true };
}

function compose(sections: Sections, nonced: boolean): string {
  const { system, context, message } = sections;
  const texts = [system, message, ...context.flatMap(({ from, to = "", content }) => [from, to, content])];
  const nonce = nonced ? nonceFor(texts) : undefined;
  const bodies: Record<SectionName, string> = {
    SYSTEM: system,
    CONTEXT: context.map((entry) => entryHead(entry, nonce) + entry.content).join("\n"),
    MESSAGE: message,
  };
  return sectionNames
    .filter((name) => bodies[name] !== "")
    .map((name) => `${marker(name, nonce)}\n${bodies[name]}`)
    .join(sectionGap);
}

function tooLarge(sizes: { bytes: number; maxBytes: number; systemBytes: number; messageBytes: number }) {
  const { bytes, maxBytes, systemBytes, messageBytes } = sizes;
  const what =
    systemBytes > 0
      ? `The message (${messageBytes} bytes) and the system text (${systemBytes} bytes) together have ${bytes} bytes`
      : `The message has ${bytes} bytes`;
  const shorter = systemBytes > 0 ? "one of them" : "it";
  return reject(
    "PROMPT_TOO_LARGE",
    `${what}, but an agent takes at most ${maxBytes}; shorten ${shorter}, or put the text into a file and mention the file`,
    { limit: maxBytes, size: bytes, systemBytes, messageBytes },
  );
}
