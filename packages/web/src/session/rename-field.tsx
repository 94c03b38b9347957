import type { Session } from "@drover/core";
import { type KeyboardEvent, useState } from "react";
import { useDrover } from "../state/drover.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { useAction } from "../ui/use-action.ts";
import { useFocusBack } from "../ui/use-focus-back.ts";

/** Edits the title in place. */
export function RenameField({ session, onClose }: { session: Session; onClose: () => void }) {
  const drover = useDrover();
  const { busy, problem, run } = useAction();
  const [title, setTitle] = useState(session.title || session.name);
  useFocusBack();
  const save = async () => {
    if (await run(() => drover.change(session.id, { title: title.trim() }))) onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    if (event.key === "Enter") void save();
  };
  return (
    <div className="flex items-center gap-2 max-md:gap-1">
      <Field label="Title" hideLabel problem={problem} className="flex-1">
        {(control) => (
          <input
            {...control}
            className="field h-8 py-0! font-semibold"
            // biome-ignore lint/a11y/noAutofocus: the user has just opened it
            autoFocus
            maxLength={500}
            value={title}
            onChange={(event) => setTitle(event.target.value)}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <Button look="primary" disabled={busy} onClick={() => void save()}>
        Save
      </Button>
      <Button look="quiet" onClick={onClose}>
        Cancel
      </Button>
    </div>
  );
}
