// Reads event streams without reconnecting, for cases that a follower would hide, and folds the events.
import {
  emptyState,
  emptyTimeline,
  evolve,
  extend,
  type Item,
  type SessionEvent,
  type SessionState,
} from "@drover/core";
import type { Snapshot } from "../kit/events.ts";
import { bearer } from "../kit/http.ts";
import type { Target } from "../kit/server.ts";
import { type SseBlock, sseBlocks } from "../kit/sse.ts";

export type Frame = SessionEvent | Snapshot;

export interface Reading {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Called with every block as it arrives. */
  readonly onBlock?: (block: SseBlock) => void;
  /** Stops reading after this block; without it, the server has to end the stream. */
  readonly last?: (block: SseBlock) => boolean;
}

/** Every block of a stream, up to the one that `last` accepts or to its end. */
export async function readBlocks(target: Target, path: string, reading: Reading = {}): Promise<SseBlock[]> {
  const { method = "GET", headers, body, onBlock, last } = reading;
  const response = await fetch(new URL(path, target.url), {
    method,
    headers: { ...bearer(target), ...(body ? { "content-type": "application/json" } : {}), ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok || !response.body) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  const blocks: SseBlock[] = [];
  for await (const block of sseBlocks(response.body)) {
    blocks.push(block);
    onBlock?.(block);
    // Leaving the loop also closes the stream.
    if (last?.(block)) return blocks;
  }
  if (last) throw new Error(`${path} ended too early, after ${JSON.stringify(blocks.at(-1))}`);
  return blocks;
}

export const frameOf = ({ data }: SseBlock): Frame | undefined =>
  data === undefined ? undefined : (JSON.parse(data) as Frame);

/** The frames of a session's stream, up to the one that `last` accepts. */
export async function readFrames(
  target: Target,
  path: string,
  reading: Omit<Reading, "last"> & { last: (frame: Frame) => boolean },
): Promise<Frame[]> {
  const { last, ...rest } = reading;
  const isLast = (block: SseBlock) => {
    const frame = frameOf(block);
    return frame !== undefined && last(frame);
  };
  const blocks = await readBlocks(target, path, { ...rest, last: isLast });
  return blocks.flatMap((block) => frameOf(block) ?? []);
}

/** What a client has after these events: the session's state and its transcript. */
export function fold(events: Iterable<SessionEvent>): { state: SessionState; items: Item[] } {
  let state = emptyState;
  let timeline = emptyTimeline;
  const items = new Map<string, Item>();
  for (const event of events) {
    state = evolve(state, event);
    const step = extend(timeline, event);
    timeline = step.timeline;
    for (const { item } of step.changed) items.set(item.id, item);
  }
  return { state, items: [...items.values()].sort((a, b) => a.seq - b.seq) };
}

/** An agent's text as a transcript shows it. */
export const textOf = (items: readonly Item[]): string =>
  items
    .filter((item) => item.kind === "text")
    .map((item) => item.text)
    .join("");
