import {
  type ContextEntry,
  marker,
  readEntryHead,
  type SectionName,
  type Sections,
  sectionGap,
  sectionNames,
} from "./markers.ts";

/** The parts of a built prompt: for every `x`, what went into `buildPrompt(x)` after shortening. */
export function splitPrompt(prompt: string): Sections {
  const nonce = /^\[(?:SYSTEM|CONTEXT|MESSAGE) ([0-9a-f]{6})\]\n/.exec(prompt)?.[1];
  const found: Partial<Record<SectionName, string>> = {};
  let remaining = prompt;
  for (const [index, name] of sectionNames.entries()) {
    const begin = `${marker(name, nonce)}\n`;
    if (!remaining.startsWith(begin)) continue;
    const next = sectionNames
      .slice(index + 1)
      .map((later) => remaining.indexOf(`${sectionGap}${marker(later, nonce)}\n`, begin.length))
      .filter((at) => at >= 0);
    const end = next.length > 0 ? Math.min(...next) : remaining.length;
    found[name] = remaining.slice(begin.length, end);
    remaining = remaining.slice(end + sectionGap.length);
  }
  return {
    system: found.SYSTEM ?? "",
    context: splitContext(found.CONTEXT, nonce),
    message: found.MESSAGE ?? "",
  };
}

function splitContext(text: string | undefined, nonce: string | undefined): ContextEntry[] {
  if (text === undefined) return [];
  const entries: { names: Omit<ContextEntry, "content">; lines: string[] }[] = [];
  for (const line of text.split("\n")) {
    const head = readEntryHead(line, nonce);
    if (head) entries.push({ names: head.names, lines: [line.slice(head.length)] });
    else entries.at(-1)?.lines.push(line);
  }
  return entries.map(({ names, lines }) => ({ ...names, content: lines.join("\n") }));
}
