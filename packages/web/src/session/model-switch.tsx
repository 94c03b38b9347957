import type { Session } from "@drover/core";
import { useState } from "react";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { ProblemText } from "../ui/problem.tsx";
import { useAction } from "../ui/use-action.ts";
import { Caret } from "./caret.tsx";

interface ModelSwitchProps {
  readonly session: Session;
  /** The model the agent says it uses, or was told to use. */
  readonly model: string | undefined;
}

export function ModelSwitch({ session, model }: ModelSwitchProps) {
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

function ModelDialog({ session, model, onClose }: ModelSwitchProps & { onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [name, setName] = useState(model ?? "");
  const save = async () => {
    if (await run(() => drover.change(session.id, { model: name.trim() }))) onClose();
  };
  return (
    <Dialog title="Model" onClose={onClose}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <label className="grid gap-1">
          <span className="font-medium">Name of the model, as {session.agent} knows it</span>
          <input
            className="field font-mono"
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <p className="text-muted text-xs">It is used from the next turn on.</p>
        <ProblemText problem={problem} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={busy || name.trim() === ""}>
            Use this model
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
