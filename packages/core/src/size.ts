/** Deeper JSON is no message of an agent's: every walk over what one sends may recurse without care. */
export const maxAgentDepth = 128;

/** About how much room a value takes, in characters. */
export function sizeOf(value: unknown): number {
  const room = { left: Number.MAX_SAFE_INTEGER };
  measure(value, room, maxAgentDepth);
  return Number.MAX_SAFE_INTEGER - room.left;
}

/** Whether a value is nested too deep or takes more than `size` characters; looks no further than that. */
export function excess(value: unknown, size: number): "deep" | "large" | undefined {
  return measure(value, { left: size }, maxAgentDepth);
}

/** For quotes, commas and the objects themselves: a list of nothing takes room, too. */
const perEntry = 4;

function measure(value: unknown, room: { left: number }, depth: number): "deep" | "large" | undefined {
  room.left -= perEntry + (typeof value === "string" ? value.length : 0);
  if (room.left < 0) return "large";
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
    room.left -= key.length;
    const found = measure((value as Record<string, unknown>)[key], room, depth - 1);
    if (found) return found;
  }
  return undefined;
}
