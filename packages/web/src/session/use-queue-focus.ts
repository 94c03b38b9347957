import type { QueuedMessage } from "@drover/core";
import { useLayoutEffect, useRef } from "react";
import { perform } from "../keyboard/use-shortcuts.ts";

/** A button of a queued message. */
export interface QueueAction {
  readonly messageId: string;
  readonly label: string;
}

/**
 * Keeps the focus in the queue after a message is moved or removed: on the same button of the message, on the next
 * message if it is gone, or in the composer if none is left.
 */
export function useQueueFocus(queue: readonly QueuedMessage[]) {
  const list = useRef<HTMLUListElement>(null);
  const last = useRef<QueueAction & { readonly index: number }>(undefined);
  useLayoutEffect(() => {
    const action = last.current;
    if (!action) return;
    last.current = undefined;
    if (document.activeElement !== document.body && !list.current?.contains(document.activeElement)) return;
    const found = queue.findIndex(({ messageId }) => messageId === action.messageId);
    const row = list.current?.children[found < 0 ? Math.min(action.index, queue.length - 1) : found];
    const button = (label: string) =>
      row?.querySelector<HTMLElement>(`button[aria-label="${label}"]:enabled`);
    const target = button(action.label) ?? button("Edit");
    if (target) target.focus();
    else perform("write");
  }, [queue]);
  const keepFocus = ({ messageId, label }: QueueAction) => {
    const index = queue.findIndex((message) => message.messageId === messageId);
    last.current = { messageId, label, index };
  };
  return { list, keepFocus };
}
