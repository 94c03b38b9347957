/** The fields at the beginning of a Markdown file, and the text that follows. */
export interface FrontMatter {
  /** Undefined if there are none. */
  readonly front?: unknown;
  readonly body: string;
  /** Why the fields cannot be read, as a sentence. */
  readonly problem?: string;
}

const maxLength = 16 * 1024;

/** Reads front matter that anybody may have written: no alias is followed, and no tag makes a value of another type. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [opening] = /^\uFEFF?---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (opening === undefined) return { body: text };
  const rest = text.slice(opening.length);
  const closing = /^---[ \t]*\r?$\n?/m.exec(rest);
  if (!closing) return { body: text, problem: "Its front matter has no closing line of ---." };
  const { index: end } = closing;
  if (end > maxLength)
    return { body: text, problem: `Its front matter has more than ${maxLength} characters.` };
  const body = rest.slice(end + closing[0].length);
  try {
    return { front: await fieldsOf(rest.slice(0, end)), body };
  } catch (error) {
    const { message: found } = error as Error;
    // The parser's words for a stack that overflows.
    const message = found.startsWith("Maximum call stack") ? "it is nested too deeply" : found;
    return { body: text, problem: `Its front matter is not valid YAML: ${message}.` };
  }
}

async function fieldsOf(source: string): Promise<unknown> {
  const yaml = await import("yaml");
  const document = yaml.parseDocument(source, {
    ...{ prettyErrors: false, schema: "core", resolveKnownTags: false, logLevel: "silent" },
  });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem) throw problem;
  return document.toJS({ maxAliasCount: 0 });
}
