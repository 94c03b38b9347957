import { useState } from "react";
import { tabStorage } from "./storage.ts";

const key = (interactionId: string) => `drover:answer-draft:${interactionId}`;
const read = (interactionId: string) =>
  tabStorage.readJson<Record<string, unknown>>(key(interactionId)) ?? {};

/**
 * Part of an unsent answer. All cards of the interaction share it, and it survives a reload. Undefined clears it.
 */
export function useAnswerDraft<T>(interactionId: string, part: string) {
  const [value, setValue] = useState(() => read(interactionId)[part] as T | undefined);
  const set = (next: T | undefined) => {
    setValue(() => next);
    // JSON leaves out undefined fields.
    tabStorage.write(key(interactionId), JSON.stringify({ ...read(interactionId), [part]: next }));
  };
  return [value, set] as const;
}

/** Clears the draft of an interaction that is settled. */
export const forgetAnswerDraft = (interactionId: string): void =>
  tabStorage.write(key(interactionId), undefined);
