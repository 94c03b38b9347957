import { type ClipboardEvent, type DragEvent, useRef } from "react";
import { useAction } from "../ui/use-action.ts";
import { attach, useAttached } from "./attached.ts";

/** The files of a draft, and the events that add to them. */
export function useAttachments(draft: string, takesImages: boolean) {
  const files = useAttached(draft);
  const { problem, run } = useAction();
  /** One after the other: an action that is under way ignores further calls. */
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const add = (added: readonly File[]) => {
    last.current = last.current.then(() => run(() => attach(draft, added, takesImages)));
  };
  const take = (event: ClipboardEvent | DragEvent, { files: taken }: DataTransfer) => {
    if (taken.length === 0) return;
    event.preventDefault();
    add([...taken]);
  };
  return {
    files,
    problem,
    add,
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
    /** For the element that files can be dropped on. */
    dropTarget: {
      onDragOver: (event: DragEvent) => {
        if (event.dataTransfer.types.includes("Files")) event.preventDefault();
      },
      onDrop: (event: DragEvent) => take(event, event.dataTransfer),
    },
  };
}
