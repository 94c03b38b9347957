export interface CommandPart {
  readonly kind: "program" | "word" | "flag" | "text" | "operator" | "variable" | "comment" | "space";
  readonly text: string;
}

/** In the order they are tried; the last takes what no other does. */
const patterns: readonly (readonly [CommandPart["kind"], RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /#[^\n]*/y],
  ["text", /'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?/y],
  ["variable", /\$\{[^}]*\}?|\$(?!\()(?:\w+|[?@*#!$-])?/y],
  ["operator", /\$\(|&&|\|\||[0-9]*(?:>>|>&|<<<?|>|<)&?[0-9-]?|[|;&()`\n]/y],
  ["word", /(?:\\[\s\S]|[^\s|;&()<>`"'$\\])+|[\s\S]/y],
];

/** After these a new command begins. */
const beginsCommand = /^(?:\$\(|&&|\|\||[|;&(`\n])$/;

/**
 * A shell command taken apart for the eye, not for a shell: what runs, and what joins, redirects or substitutes, must
 * not be overlooked by whoever approves it. The parts joined are the command.
 */
export function commandParts(command: string): CommandPart[] {
  const parts: CommandPart[] = [];
  let expectsProgram = true;
  for (let at = 0; at < command.length; ) {
    const part = partAt(command, at, parts.at(-1)?.kind ?? "space");
    at += part.text.length;
    const isAssignment = part.kind === "word" && /^\w+=/.test(part.text);
    if (part.kind === "word" && expectsProgram && !isAssignment) {
      parts.push({ kind: "program", text: part.text });
      expectsProgram = false;
    } else parts.push(part);
    if (part.kind === "operator" && beginsCommand.test(part.text)) expectsProgram = true;
    if (part.kind === "space" && part.text.includes("\n")) expectsProgram = true;
  }
  return parts;
}

function partAt(command: string, at: number, before: CommandPart["kind"]): CommandPart {
  for (const [kind, pattern] of patterns) {
    // In the middle of a word it is a character like any other.
    if (kind === "comment" && before !== "space") continue;
    pattern.lastIndex = at;
    const text = pattern.exec(command)?.[0];
    if (text === undefined) continue;
    if (kind === "word" && text.startsWith("-") && before === "space") return { kind: "flag", text };
    // Between double quotes a shell still runs what is substituted.
    return { kind: kind === "text" && /^".*(?:\$\(|`)/s.test(text) ? "operator" : kind, text };
  }
  throw new Error("The last pattern takes any character.");
}
