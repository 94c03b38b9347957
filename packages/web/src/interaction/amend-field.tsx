import { useId } from "react";
import { useBegun } from "../state/begun.ts";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";

interface AmendFieldProps {
  readonly interactionId: string;
  readonly input: unknown;
  readonly disabled: boolean;
  /** Somebody has just asked for it. */
  readonly autoFocus: boolean;
  readonly onApprove: (input: unknown) => void;
  readonly onCancel: () => void;
}

type Fields = Readonly<Record<string, unknown>>;

/** The input in a person's hands before they agree to it: a command as its text, anything else as JSON. */
export function AmendField(props: AmendFieldProps) {
  const { interactionId, input, disabled, autoFocus, onApprove, onCancel } = props;
  const id = useId();
  useFocusBack();
  const fields = typeof input === "object" && input !== null ? (input as Fields) : {};
  const command = typeof fields["command"] === "string" ? fields["command"] : undefined;
  const [begun, setText] = useBegun<string>(interactionId, "input");
  const text = begun ?? command ?? JSON.stringify(input, null, 2);
  const amended = command === undefined ? parsed(text) : { value: { ...fields, command: text } };
  const approve = () => amended && text.trim() !== "" && onApprove(amended.value);
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-xs">
        {command === undefined
          ? "The input as JSON, as the agent will get it"
          : "The command, as it will run"}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: only when it has just been asked for
        autoFocus={autoFocus}
        spellCheck={false}
        className="field field-sizing-content max-h-80 min-h-16 resize-none font-mono text-sm"
        value={text}
        aria-invalid={amended === undefined}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) approve();
        }}
      />
      {!amended && <p className="text-bad text-xs">This is not JSON yet.</p>}
      <div className="flex gap-2">
        <Button look="primary" disabled={disabled || !amended || text.trim() === ""} onClick={approve}>
          Approve as changed
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
