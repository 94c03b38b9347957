/** One name of a path as a shell expands it: characters as they are, `one` of any kind, or `many`. */
type Part = { readonly is: string } | "one" | "many";

/** Substitutions, variables, patterns and alternatives; variables in lower case are seldom set, but often in names. */
const syntax =
  /\$\([^)]*\)?|`[^`]*`?|\$\{[^}]*\}?|\$[A-Z_]\w*|\$'[^']*'?|\$"|[@!+?*]\([^)]*\)?|\{[^{}]*\}|\[\[:\w+:\]\]|\[[^\][]+\]|\$[a-z]\w*|./gsu;

/** What ends a name: alternatives may contain whole paths. */
const separators = [/\//, /[/{},()|'"`]/] as const;

/** Longer ones are no paths. */
const maxLength = 4_096;

const isPlain = (path: string): boolean => path.length > maxLength || !/[$`*?[{'"\\(]/.test(path);

/** Whether a tool that expands a path as a shell does may end up below, or at, something of this name. */
export function mayExpandTo(path: string, name: string): boolean {
  if (isPlain(path)) return false;
  const parts = separators.flatMap((separator) => path.split(separator));
  return parts.some((part) => matches(partsOf(part), name));
}

/** Whether a tool may take a path for another one, in another place: `~user`, `$HOME`, `{../a,b}`, `%2e%2e`. */
export const mayLeadElsewhere = (path: string): boolean =>
  /^\s*[~$]|%2[ef]|%2[EF]|`|\$[A-Z_({"']|\{[^{}]*(,|\.\.)/.test(path) || mayExpandTo(path, "..");

const partsOf = (name: string): Part[] => (name.match(syntax) ?? []).flatMap(partOf);

function partOf(text: string): Part[] {
  if (/^["'\\]$/.test(text) || /^\$[a-z]/.test(text)) return [];
  if (text === "*" || text === "?") return [text === "*" ? "many" : "one"];
  if (text.startsWith("[") && text.length > 1) return ["one"];
  const isAlternative = text.startsWith("{") && text.length > 1 && !/,|\.\./.test(text);
  if (text.length === 1 || isAlternative) return [...text.replace(/[{}]/g, "")].map((is) => ({ is }));
  return ["many"];
}

/** Regardless of case. The places that each part may end at are kept, so that no pattern takes long. */
function matches(parts: readonly Part[], name: string): boolean {
  let ends = new Set([0]);
  for (const part of parts) {
    const next = new Set<number>();
    for (const end of ends) {
      if (part === "many") for (let at = end; at <= name.length; at++) next.add(at);
      else if (end < name.length && (part === "one" || part.is.toLowerCase() === name[end]))
        next.add(end + 1);
    }
    if (next.size === 0) return false;
    ends = next;
  }
  return ends.has(name.length);
}
