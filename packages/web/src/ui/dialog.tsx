import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.tsx";
import { CrossIcon } from "./icons.tsx";
import { useFocusBack } from "./use-focus-back.ts";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A modal dialog; the browser keeps the focus inside and closes it on Escape. Rendered means open. */
export function Dialog({ title, onClose, wide = false, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useFocusBack();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    // Focus the first field; the browser would focus the close button.
    opened?.querySelector<HTMLElement>("textarea, input, select")?.focus();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      // The content fills the dialog, so an event on the dialog itself comes from the backdrop.
      onPointerDown={(event) => event.target === dialog.current && onClose()}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className={`m-auto max-h-[min(46rem,100dvh-1.5rem)] ${wide ? "w-[min(46rem,100vw-1.5rem)] md:mt-[6vh] md:max-h-[min(46rem,92dvh)]" : "w-[min(34rem,100vw-1.5rem)] md:mt-[12vh] md:max-h-[min(46rem,86dvh)]"} overflow-y-auto rounded-lg bg-overlay text-ink shadow-overlay`}
    >
      <div className="p-5">
        <header className="mb-4 flex items-center justify-between gap-3">
          <h2 id={titleId} className="font-semibold text-lg tracking-tight">
            {title}
          </h2>
          <IconButton label="Close" onClick={onClose} className="-mr-1.5">
            <CrossIcon />
          </IconButton>
        </header>
        {children}
      </div>
    </dialog>
  );
}
