import { useState } from "react";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";

interface ReasonFieldProps {
  readonly disabled: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

/** A denial in words: the agent goes on by them. */
export function ReasonField({ disabled, onDeny, onCancel }: ReasonFieldProps) {
  const [reason, setReason] = useState("");
  useFocusBack();
  return (
    <div className="grid gap-2">
      <label className="grid gap-1 text-xs">
        Why not? The agent reads this.
        <input
          className="field"
          value={reason}
          // biome-ignore lint/a11y/noAutofocus: it has just been asked for
          autoFocus
          onChange={(event) => setReason(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") onDeny(reason.trim());
            if (event.key === "Escape") onCancel();
          }}
        />
      </label>
      <div className="flex gap-2">
        <Button look="danger" disabled={disabled} onClick={() => onDeny(reason.trim())}>
          Deny
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}
