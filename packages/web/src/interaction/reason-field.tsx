import { useAnswerDraft } from "../storage/answer-drafts.ts";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";

interface ReasonFieldProps {
  readonly interactionId: string;
  /** The reason is saved with the decision either way. */
  readonly agentSeesReason: boolean;
  readonly disabled: boolean;
  /** True when the person has just opened the field. */
  readonly autoFocus: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onCancel: () => void;
}

/** Denies with a reason. */
export function ReasonField(props: ReasonFieldProps) {
  const { interactionId, agentSeesReason, disabled, autoFocus, onDeny, onCancel } = props;
  const [reason = "", setReason] = useAnswerDraft<string>(interactionId, "reason");
  useFocusBack();
  return (
    <div className="grid gap-2">
      <label className="grid gap-1 text-xs">
        {agentSeesReason ? "Reason (the agent sees it)" : "Reason (saved; this agent may not see it)"}
        <input
          className="field"
          value={reason}
          // biome-ignore lint/a11y/noAutofocus: only when the person has just opened it
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
