import { useState } from "react";
import { plainText } from "../format/terminal.ts";
import { TextButton } from "../ui/button.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { AnsiText } from "./ansi-text.tsx";

const shownAtFirst = 20_000;

interface OutputTextProps {
  readonly text: string;
  readonly failed: boolean;
  /** Terminal colours are shown, not only taken away. */
  readonly colours?: boolean;
}

/** Text a tool gave back: without terminal escapes, in a box of its own, long ones on request. */
export function OutputText({ text, failed, colours = false }: OutputTextProps) {
  const [whole, setWhole] = useState(false);
  const trimmed = text.replace(/\s+$/, "");
  if (trimmed === "") return null;
  const cut = !whole && trimmed.length > shownAtFirst;
  const shown = cut ? trimmed.slice(0, shownAtFirst) : trimmed;
  return (
    <div>
      <ScrollBox
        className={`max-h-80 overflow-auto whitespace-pre-wrap break-words font-mono text-xs ${failed ? "text-bad" : "text-muted"}`}
      >
        {colours ? <AnsiText text={shown} /> : plainText(shown)}
      </ScrollBox>
      {cut && (
        <TextButton className="mt-1 text-xs" onClick={() => setWhole(true)}>
          Show all {trimmed.length.toLocaleString("en")} characters
        </TextButton>
      )}
    </div>
  );
}

interface InputFieldsProps {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly title: string;
}

/** The fields of a call's input that its title does not already say: short ones as a table, others as they are. */
export function InputFields({ fields, title }: InputFieldsProps) {
  const told = Object.entries(fields).filter(
    ([, value]) => value !== "" && (typeof value !== "string" || !title.includes(value)),
  );
  if (told.length === 0) return null;
  return (
    <ScrollBox
      as="dl"
      className="grid max-h-64 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 overflow-auto text-xs"
    >
      {told.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-faint">{plainText(name)}</dt>
          <dd className="whitespace-pre-wrap break-words font-mono text-muted">
            {plainText(typeof value === "string" ? value : JSON.stringify(value, null, 1))}
          </dd>
        </div>
      ))}
    </ScrollBox>
  );
}
