import { isRecord, type Json, record, text } from "../json.ts";

/** What is known about a call the agent asks about. */
interface Shown {
  readonly input: unknown;
  readonly title: string;
  readonly content: readonly unknown[];
}

export interface ShownInput {
  readonly input: unknown;
  readonly diffs?: unknown[];
}

/**
 * What a person sees and approves: some agents describe a call by its content instead of its input, or in addition to
 * it. Parts that are neither plain text nor a diff are kept unchanged, and so are wrong or extra keys of a diff.
 */
export function shownInput({ input, title, content }: Shown): ShownInput {
  const diffs = content.filter(isDiff).map(({ type: _, ...diff }) => diff);
  const shownDiffs = diffs.length > 0 ? { diffs } : {};
  const hasInput = input !== undefined && !(isRecord(input) && Object.keys(input).length === 0);
  if (hasInput) return { input, ...shownDiffs };
  const texts = content.flatMap((part) => plainWords(part) ?? []);
  const others = content.filter((part) => !isDiff(part) && plainWords(part) === undefined);
  return {
    input: {
      title,
      ...(texts.length > 0 ? { text: texts.join("\n") } : {}),
      ...shownDiffs,
      ...(others.length > 0 ? { content: others } : {}),
    },
  };
}

const isDiff = (part: unknown): part is Json => isRecord(part) && part["type"] === "diff";

/** The text of a part that contains only text. */
function plainWords(part: unknown): string | undefined {
  const { type, content, ...others } = record(part);
  const { type: kind, text: words, ...more } = record(content);
  const isPlain = type === "content" && kind === "text" && Object.keys({ ...others, ...more }).length === 0;
  return isPlain ? text(words) : undefined;
}
