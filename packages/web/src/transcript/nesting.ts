/** A limit on nested lists and quotes: a parser reads the content again for every level. */
const maxLevels = 32;
/** A list inside another one is indented by two columns at least. */
const levelColumns = 2;

const fence = /^ {0,3}(?:`{3,}|~{3,})/;
/** The indentation and the list and quote markers at the start of a line. */
const opening = /^(?:[ \t]|>|[-*+](?=\s|$)|\d{1,9}[.)](?=\s|$))*/;

/** Splits Markdown at the first line that is nested too deeply to be rendered. */
export function splitAtDeepNesting(text: string): { readonly shallow: string; readonly deep: string } {
  let inFence = false;
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    if (fence.test(line)) inFence = !inFence;
    else if (!inFence && levelsOf(line) > maxLevels)
      return { shallow: text.slice(0, at), deep: text.slice(at) };
    at = end + 1;
  }
  return { shallow: text, deep: "" };
}

/** How deep a line can be nested at most. */
function levelsOf(line: string): number {
  const [open = ""] = opening.exec(line) ?? [];
  const marks = open.match(/>|[-*+]|\d+[.)]/g)?.length ?? 0;
  if (marks === 0) return 0;
  const indent = /^[ \t]*/.exec(open)?.[0] ?? "";
  return marks + columnsOf(indent) / levelColumns;
}

const columnsOf = (blanks: string) => blanks.length + 3 * (blanks.match(/\t/g)?.length ?? 0);
