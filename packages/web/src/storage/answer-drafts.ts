import { useState } from "react";
import { tabStorage } from "./storage.ts";

const key = (interactionId: string) => `drover:answer-draft:${interactionId}`;
const read = (interactionId: string) =>
  tabStorage.readJson<Record<string, unknown>>(key(interactionId)) ?? {};

/**
 * A part of an unsent answer: it is there again on every card of the interaction, in the inbox
 * and in its session, and after a reload. Undefined forgets it.
 */
export function useAnswerDraft<T>(interactionId: string, part: string) {
  const [value, setValue] = useState(() => read(interactionId)[part] as T | undefined);
  const set = (next: T | undefined) => {
    setValue(() => next);
    // What is undefined is not in the JSON.
    tabStorage.write(key(interactionId), JSON.stringify({ ...read(interactionId), [part]: next }));
  };
  return [value, set] as const;
}

/** Nobody answers it any more. */
export const forgetAnswerDraft = (interactionId: string): void =>
  tabStorage.write(key(interactionId), undefined);
