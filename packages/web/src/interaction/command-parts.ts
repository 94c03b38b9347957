export interface CommandPart {
  readonly kind: "program" | "word" | "flag" | "text" | "operator" | "variable" | "comment" | "space";
  readonly text: string;
}

/** In the order they are tried; the last one matches anything. */
const patterns: readonly (readonly [CommandPart["kind"], RegExp])[] = [
  ["space", /\s+/y],
  ["comment", /#[^\n]*/y],
  ["text", /'[^']*'?|"(?:[^"\\]|\\[\s\S])*"?/y],
  ["variable", /\$\{[^}]*\}?|\$(?!\()(?:\w+|[?@*#!$-])?/y],
  ["operator", /\$\(|&&|\|\||[0-9]*(?:>>|>&|<<<?|>|<)&?[0-9-]?|[|;&()`\n]/y],
  ["word", /(?:\\[\s\S]|[^\s|;&()<>`"'$\\])+|[\s\S]/y],
];

/** Operators after which a new command starts. */
const beginsCommand = /^(?:\$\(|&&|\|\||[|;&(`\n])$/;

/**
 * Splits a shell command into parts for highlighting, so that the person approving it notices programs, operators,
 * redirections and substitutions. It is not a shell parser. The parts joined are the command.
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
    // In the middle of a word, # does not start a comment.
    if (kind === "comment" && before !== "space") continue;
    pattern.lastIndex = at;
    const text = pattern.exec(command)?.[0];
    if (text === undefined) continue;
    if (kind === "word" && text.startsWith("-") && before === "space") return { kind: "flag", text };
    // A shell runs substitutions between double quotes, too.
    return { kind: kind === "text" && /^".*(?:\$\(|`)/s.test(text) ? "operator" : kind, text };
  }
  throw new Error("The last pattern takes any character.");
}
