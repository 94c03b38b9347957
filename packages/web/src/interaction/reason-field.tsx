import { useBegun } from "../storage/begun.ts";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";

interface ReasonFieldProps {
  readonly interactionId: string;
  /** The agent goes by the words; they stay with the decision in any case. */
  readonly isTold: boolean;
  readonly disabled: boolean;
  /** Somebody has just asked for it. */
  readonly autoFocus: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

/** A denial in words. */
export function ReasonField(props: ReasonFieldProps) {
  const { interactionId, isTold, disabled, autoFocus, onDeny, onCancel } = props;
  const [reason = "", setReason] = useBegun<string>(interactionId, "reason");
  useFocusBack();
  return (
    <div className="grid gap-2">
      <label className="grid gap-1 text-xs">
        {isTold
          ? "Why not? The agent reads this."
          : "Why not? It stays with the decision; this agent may not be told."}
        <input
          className="field"
          value={reason}
          // biome-ignore lint/a11y/noAutofocus: only when it has just been asked for
          autoFocus={autoFocus}
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
