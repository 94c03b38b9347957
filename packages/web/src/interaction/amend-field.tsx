import type { Interaction } from "@drover/core";
import { useId } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { fieldsOf } from "../format/tool-input.ts";
import { useAnswerDraft } from "../storage/answer-drafts.ts";
import { Button } from "../ui/button.tsx";
import { useFocusBack } from "../ui/use-focus-back.ts";
import { ExactInput } from "./exact-input.tsx";

interface AmendFieldProps {
  readonly interactionId: string;
  readonly input: unknown;
  readonly diffs: Interaction["diffs"];
  readonly disabled: boolean;
  /** True when the person has just opened the field. */
  readonly autoFocus: boolean;
  readonly onApprove: (input: unknown) => void;
  readonly onCancel: () => void;
}

/** Lets the person edit the input before approving it: a command as text, anything else as JSON. */
export function AmendField(props: AmendFieldProps) {
  const { interactionId, input, diffs, disabled, autoFocus, onApprove, onCancel } = props;
  const id = useId();
  useFocusBack();
  const { command, ...others } = commandOf(input);
  const [draft, setText] = useAnswerDraft<string>(interactionId, "input");
  const text = draft ?? command ?? JSON.stringify(input, null, 2);
  const amended = command === undefined ? parsed(text) : { value: { ...others, command: text } };
  // The text field hides invisible characters and, for a command, the other keys of the input.
  const hasUnseen = Object.keys(others).length > 0 || exactLines(text) !== text;
  const approve = () => amended && text.trim() !== "" && onApprove(amended.value);
  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="text-xs">
        {command === undefined ? "Input (JSON)" : "Command to run"}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: only when the person has just opened it
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
      {!amended && <p className="text-bad text-xs">Not valid JSON</p>}
      {amended && hasUnseen && (
        <>
          <p className="text-xs">You are approving:</p>
          <ExactInput input={amended.value} diffs={diffs} />
        </>
      )}
      <div className="flex gap-2">
        <Button look="primary" disabled={disabled || !amended || text.trim() === ""} onClick={approve}>
          Approve with changes
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  );
}

/** The input, if its command can be edited as text. Text fields turn every line break into LF, so CR rules that out. */
function commandOf(input: unknown): { readonly command?: string } {
  const fields = fieldsOf(input) ?? {};
  const { command } = fields;
  return typeof command === "string" && command !== "" && !command.includes("\r") ? fields : {};
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
