import type { ClipboardEvent, DragEvent } from "react";
import { useAction } from "../ui/use-action.ts";
import { attach, useAttached } from "./attached.ts";

/** The files of a draft, and the events that add to them. */
export function useAttachments(draft: string, takesImages: boolean) {
  const files = useAttached(draft);
  const { problem, run } = useAction();
  const add = (added: readonly File[]) => void run(() => attach(draft, added, takesImages));
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
