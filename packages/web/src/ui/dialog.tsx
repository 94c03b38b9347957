import { type ReactNode, useEffect, useId, useRef } from "react";
import { IconButton } from "./button.tsx";
import { CrossIcon } from "./icons.tsx";

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A modal dialog; the browser keeps the focus inside and closes it on Escape. Rendered means open. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="m-auto max-h-[min(44rem,100dvh-1.5rem)] w-[min(34rem,100vw-1.5rem)] overflow-y-auto rounded-lg bg-overlay p-5 text-ink shadow-overlay md:mt-[12vh]"
    >
      <header className="mb-4 flex items-center justify-between gap-3">
        <h2 id={titleId} className="font-semibold text-lg tracking-tight">
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose} className="-mr-1.5">
          <CrossIcon />
        </IconButton>
      </header>
      {children}
    </dialog>
  );
}
