/** The sections of a prompt, in order. */
export const sectionNames = ["SYSTEM", "CONTEXT", "MESSAGE"] as const;
export type SectionName = (typeof sectionNames)[number];

/** Another speaker's message that an agent gets with its own. */
export interface ContextEntry {
  /** A name: not empty, on one line, not starting with `[`, not ending in `:`, without `: ` or `>`. */
  readonly from: string;
  readonly to?: string | undefined;
  readonly content: string;
}

export interface Sections {
  readonly system: string;
  readonly context: readonly ContextEntry[];
  readonly message: string;
}

/** The text between two sections. */
export const sectionGap = "\n\n";

/** If markers carry a nonce, so do the lines that start a context entry. */
export const marker = (name: SectionName, nonce: string | undefined): string =>
  nonce === undefined ? `[${name}]` : `[${name} ${nonce}]`;

export function entryHead({ from, to }: ContextEntry, nonce: string | undefined): string {
  if (!isName(from) || !(to === undefined || isName(to))) {
    throw new Error(`${JSON.stringify({ from, to })} are not valid names for a prompt`);
  }
  const names = to === undefined ? from : `${from} -> ${to}`;
  return nonce === undefined ? `${names}: ` : `[${nonce}] ${names}: `;
}

/** The speaker of an entry that starts with this line, and where its text starts; undefined if the line starts none. */
export function readEntryHead(
  line: string,
  nonce: string | undefined,
): { readonly names: Omit<ContextEntry, "content">; readonly length: number } | undefined {
  const start = nonce === undefined ? "" : `[${nonce}] `;
  const end = line.indexOf(": ", start.length);
  if (end < 0 || !line.startsWith(start)) return undefined;
  const [from = "", to, ...more] = line.slice(start.length, end).split(" -> ");
  if (more.length > 0 || !isName(from) || !(to === undefined || isName(to))) return undefined;
  return { names: to === undefined ? { from } : { from, to }, length: end + 2 };
}

const isName = (name: string): boolean =>
  name === name.trim() && !/^$|^\[|[>\n\r\u2028\u2029]|: |:$/.test(name);

const markerLine = /^[^\S\n]*\[(?:SYSTEM|CONTEXT|MESSAGE)(?: [0-9a-f]{6})?\][^\S\n]*$/m;

/** Whether a line of the content could be taken for a marker, or for the start of another entry. */
export function isForgeable({ system, context, message }: Sections): boolean {
  if ([system, message, ...context.map(({ content }) => content)].some((text) => markerLine.test(text)))
    return true;
  return context.some(({ content }) => {
    const [, ...lines] = content.split("\n");
    return lines.some((line) => readEntryHead(line, undefined) !== undefined);
  });
}

export const nonceLength = 6;

/** Six hexadecimal digits that occur nowhere in these texts; the same texts get the same ones. */
export function nonceFor(texts: readonly string[]): string {
  for (let seed = fnv1a(texts); ; seed = (seed + 1) >>> 0) {
    const nonce = (seed & 0xffffff).toString(16).padStart(nonceLength, "0");
    if (!texts.some((text) => text.includes(nonce))) return nonce;
  }
}

function fnv1a(texts: readonly string[]): number {
  let hash = 0x811c9dc5;
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  return hash >>> 0;
}
