import { useState } from "react";
import { tabShelf } from "./storage.ts";

const key = (interactionId: string) => `drover:begun:${interactionId}`;
const read = (interactionId: string) => tabShelf.readJson<Record<string, unknown>>(key(interactionId)) ?? {};

/**
 * A part of an answer that somebody has begun to give: it is there again on every card of the interaction, in the inbox
 * and in its session, and after a reload. Undefined forgets it.
 */
export function useBegun<T>(interactionId: string, part: string) {
  const [value, setValue] = useState(() => read(interactionId)[part] as T | undefined);
  const set = (next: T | undefined) => {
    setValue(() => next);
    // What is undefined is not in the JSON.
    tabShelf.write(key(interactionId), JSON.stringify({ ...read(interactionId), [part]: next }));
  };
  return [value, set] as const;
}

/** Nobody answers it any more. */
export const forgetBegun = (interactionId: string): void => tabShelf.write(key(interactionId), undefined);
