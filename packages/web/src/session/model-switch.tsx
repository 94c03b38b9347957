import { useState } from "react";
import { Caret } from "./caret.tsx";
import { ModelDialog, type ModelProps } from "./model-dialog.tsx";

export function ModelSwitch({ session, model }: ModelProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        title="Change the model"
        className="flex min-w-0 items-center gap-1 rounded-sm px-1 hover:bg-hover hover:text-ink"
        onClick={() => setOpen(true)}
      >
        <span className="sr-only">Model: </span>
        <span className="max-w-36 truncate">{model ?? "Default model"}</span>
        <Caret />
      </button>
      {open && <ModelDialog session={session} model={model} onClose={() => setOpen(false)} />}
    </>
  );
}
