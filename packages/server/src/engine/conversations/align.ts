import type { Item } from "@drover/core";
import type { PastItem } from "../../ports.ts";

/** By item, the matching entry of the agent's memory; undefined if there is none. */
type Places = (number | undefined)[];

/**
 * Finds the items of a transcript in the agent's own memory of the same conversation. Both are in chronological order,
 * but either may lack entries: a prompt that never arrived, messages that were compacted away. The most reliable
 * matches come first: tool calls by id, then people's messages, then the agent's, each only between earlier matches.
 */
export function align(items: readonly Item[], past: readonly PastItem[]): Places {
  const places: Places = items.map(() => undefined);
  alignCalls(items, past, places);
  const said = past.map((entry) => (entry.parentToolCallId === undefined ? wordsOf(entry) : ""));
  alignWords({ items, past, said, places, kinds: ["user"] });
  alignWords({ items, past, said, places, kinds: ["text", "thinking"] });
  return places;
}

/** Drover's `ID~2` is the second call for which the agent used ID. */
function alignCalls(items: readonly Item[], past: readonly PastItem[], places: Places): void {
  const calls = new Map<string, number[]>();
  for (const [index, { tool }] of past.entries()) {
    if (tool) calls.set(tool.toolCallId, [...(calls.get(tool.toolCallId) ?? []), index]);
  }
  let after = -1;
  for (const [index, { tool }] of items.entries()) {
    if (!tool) continue;
    const { toolCallId } = tool;
    const found = calls.get(toolCallId) ?? calls.get(toolCallId.replace(/~\d+$/, ""));
    const place = found?.find((candidate) => candidate > after);
    if (place === undefined) continue;
    places[index] = place;
    after = place;
  }
}

interface Words {
  readonly items: readonly Item[];
  readonly past: readonly PastItem[];
  /** The words of each entry, "" if it has none to compare. */
  readonly said: readonly string[];
  readonly places: Places;
  readonly kinds: readonly Item["kind"][];
}

/** How much of the past is matched: all entries before `entry`, and `used` characters of it. */
interface Cursor {
  readonly entry: number;
  readonly used: number;
}

function alignWords(words: Words): void {
  const { items, places, kinds } = words;
  const bounds = nextPlaces(places, words.past.length);
  let cursor: Cursor = { entry: 0, used: 0 };
  for (const [index, item] of items.entries()) {
    const place = places[index];
    if (place !== undefined) {
      cursor = { entry: place + 1, used: 0 };
      continue;
    }
    if (!kinds.includes(item.kind)) continue;
    const found = find(words, item, { cursor, bound: bounds[index] ?? 0 });
    if (!found) continue;
    places[index] = found.place;
    cursor = found.cursor;
  }
}

/** By item, the first place taken by a later one. */
function nextPlaces(places: Places, end: number): number[] {
  const bounds: number[] = [];
  let bound = end;
  for (let index = places.length - 1; index >= 0; index--) {
    bounds[index] = bound;
    bound = places[index] ?? bound;
  }
  return bounds;
}

interface Found {
  readonly place: number;
  readonly cursor: Cursor;
}

function find(
  words: Words,
  item: Item,
  { cursor, bound }: { cursor: Cursor; bound: number },
): Found | undefined {
  const wanted = wordsOf(item);
  if (wanted === "") return undefined;
  for (let entry = cursor.entry; entry < bound; entry++) {
    const used = entry === cursor.entry ? cursor.used : 0;
    const found = match(words, { kind: item.kind, wanted }, { from: { entry, used }, bound });
    if (found) return found;
  }
  return undefined;
}

/**
 * One item may match several entries, since an agent's text is one item until something else happens, and several items
 * may match one entry, since items have a maximum size. A person's message is always one entry.
 */
function match(
  { past, said }: Words,
  { kind, wanted }: { kind: Item["kind"]; wanted: string },
  { from, bound }: { from: Cursor; bound: number },
): Found | undefined {
  let remaining = wanted;
  let { entry, used } = from;
  for (; entry < bound && past[entry]?.kind === kind; entry++) {
    const words = (said[entry] ?? "").slice(used);
    if (words === "") return undefined;
    if (kind === "user") {
      return words === remaining ? { place: entry, cursor: { entry: entry + 1, used: 0 } } : undefined;
    }
    if (words.startsWith(remaining))
      return { place: entry, cursor: { entry, used: used + remaining.length } };
    if (!remaining.startsWith(words)) return undefined;
    remaining = remaining.slice(words.length);
    used = 0;
  }
  return undefined;
}

/** Agents may trim what they store, so whitespace is ignored. */
const wordsOf = ({ text = "" }: Pick<Item, "text">): string => text.replace(/\s+/g, "");
