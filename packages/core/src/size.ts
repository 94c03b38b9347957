/** No agent message is deeper: recursion over one needs no further limit. */
export const maxAgentDepth = 128;

/** The approximate size of a value, in characters. */
export function sizeOf(value: unknown): number {
  const room = { size: Number.MAX_SAFE_INTEGER, entries: Number.POSITIVE_INFINITY };
  measure(value, room, maxAgentDepth);
  return Number.MAX_SAFE_INTEGER - room.size;
}

interface Limit {
  readonly size: number;
  /** Keys and elements at all levels. Every traversal pays for each of them, however short it is. */
  readonly entries?: number;
}

export type Excess = "deep" | "large" | "many";

/** Which limit a value exceeds; stops at the first. */
export function excess(
  value: unknown,
  { size, entries = Number.POSITIVE_INFINITY }: Limit,
): Excess | undefined {
  // The value itself is not an entry.
  return measure(value, { size, entries: entries + 1 }, maxAgentDepth);
}

/** For quotes, commas and the objects themselves: even an empty list takes room. */
const perEntry = 4;

function measure(value: unknown, room: { size: number; entries: number }, depth: number): Excess | undefined {
  room.size -= perEntry + (typeof value === "string" ? value.length : 0);
  if (room.size < 0) return "large";
  if (--room.entries < 0) return "many";
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return "deep";
  if (Array.isArray(value)) {
    for (const inner of value) {
      const found = measure(inner, room, depth - 1);
      if (found) return found;
    }
    return undefined;
  }
  for (const key in value) {
    room.size -= key.length;
    const found = measure((value as Record<string, unknown>)[key], room, depth - 1);
    if (found) return found;
  }
  return undefined;
}
