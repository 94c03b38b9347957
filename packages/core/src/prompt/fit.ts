import { utf8Length } from "../text.ts";
import {
  type ContextEntry,
  entryHead,
  marker,
  nonceLength,
  type SectionName,
  type Sections,
  sectionGap,
  sectionNames,
} from "./markers.ts";

/** The parts of a prompt, before it is known whether they fit. */
export interface Parts {
  readonly system: string;
  readonly instructions: string;
  readonly context: readonly ContextEntry[];
  readonly message: string;
}

export interface Budget {
  readonly maxBytes: number;
  /** Whether markers will carry a nonce, which takes room. */
  readonly nonced: boolean;
}

/** An instruction file is not shortened below this. */
export const minInstructionBytes = 4096;

/** Joins texts, omitting empty ones. */
export const mergeSystem = (...texts: readonly string[]): string => texts.filter(Boolean).join("\n\n");

/**
 * The sections as they fit: first the instruction file is shortened, then whole context entries are dropped, oldest
 * first. If that is not enough, returns the smallest result with its size.
 */
export function fit(parts: Parts, { maxBytes, nonced }: Budget): { sections: Sections; bytes: number } {
  const nonce = nonced ? "0".repeat(nonceLength) : undefined;
  const messageBytes = utf8Length(parts.message);
  const entryBytes = parts.context.map((entry) => utf8Length(entryHead(entry, nonce) + entry.content));
  let system = mergeSystem(parts.system, parts.instructions);
  let systemBytes = utf8Length(system);
  let contextBytes = entryBytes.reduce((sum, bytes) => sum + bytes + 1, -1);
  const size = () => sizeOf({ SYSTEM: systemBytes, CONTEXT: contextBytes, MESSAGE: messageBytes }, nonce);
  const excess = size() - maxBytes;
  if (excess > 0) {
    const room = utf8Length(parts.instructions) - excess;
    system = mergeSystem(parts.system, shorten(parts.instructions, room));
    systemBytes = utf8Length(system);
  }
  let dropped = 0;
  while (size() > maxBytes && dropped < entryBytes.length) {
    contextBytes -= (entryBytes[dropped] ?? 0) + 1;
    dropped += 1;
  }
  const context = parts.context.slice(dropped);
  return { sections: { system, context, message: parts.message }, bytes: size() };
}

/**
 * Empty sections are omitted. An empty context counts -1: its entries are counted with a newline each, minus the last.
 */
function sizeOf(bodies: Readonly<Record<SectionName, number>>, nonce: string | undefined): number {
  const present = sectionNames.filter((name) => bodies[name] > 0);
  const bytes = present.map((name) => marker(name, nonce).length + 1 + bodies[name]);
  return bytes.reduce((sum, each) => sum + each + sectionGap.length, -sectionGap.length);
}

/** The beginning of a text in at most `room` bytes, cut between characters, and how much is missing. */
function shorten(text: string, room: number): string {
  const size = utf8Length(text);
  const leftOut = (bytes: number) => `\n[… ${bytes} bytes left out]`;
  const target = room - utf8Length(leftOut(size));
  let kept = 0;
  let end = 0;
  for (const character of text) {
    const bytes = utf8Length(character);
    if (kept >= minInstructionBytes && kept + bytes > target) break;
    kept += bytes;
    end += character.length;
  }
  const shortened = text.slice(0, end) + leftOut(size - kept);
  return utf8Length(shortened) < size ? shortened : text;
}
