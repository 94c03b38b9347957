import { useState } from "react";
import { plainText } from "../format/terminal.ts";
import { fieldsOf } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { AnsiText } from "./ansi-text.tsx";

const shownAtFirst = 20_000;
const fieldsAtFirst = 100;

interface OutputTextProps {
  readonly text: string;
  readonly failed: boolean;
  /** Shows terminal colours, which are otherwise removed, and fills its box. */
  readonly terminal?: boolean;
}

/** A tool's output, without terminal escapes. Long output is shown in full on request. */
export function OutputText({ text, failed, terminal = false }: OutputTextProps) {
  const [whole, setWhole] = useState(false);
  const trimmed = text.trimEnd();
  if (trimmed === "") return null;
  const cut = !whole && trimmed.length > shownAtFirst;
  const shown = cut ? trimmed.slice(0, shownAtFirst) : trimmed;
  return (
    <div>
      <ScrollBox
        className={`goes-on max-h-80 overflow-auto whitespace-pre-wrap break-words font-mono text-xs ${failed ? "text-bad" : "text-muted"} ${terminal ? "px-2.5 py-2" : ""}`}
      >
        {terminal ? <AnsiText text={shown} /> : plainText(shown)}
      </ScrollBox>
      {cut && (
        <TextButton
          className={`mt-1 text-xs ${terminal ? "px-2.5 pb-2" : ""}`}
          onClick={() => setWhole(true)}
        >
          Show all {trimmed.length.toLocaleString("en")} characters
        </TextButton>
      )}
    </div>
  );
}

/** Text that is shown in full on request if it is long. */
export function LongText({ text }: { text: string }) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= shownAtFirst) return text;
  return (
    <>
      {text.slice(0, shownAtFirst)}
      <TextButton className="block font-sans text-xs" onClick={() => setWhole(true)}>
        Show all {text.length.toLocaleString("en")} characters
      </TextButton>
    </>
  );
}

interface InputFieldsProps {
  /** The input fields that are not shown elsewhere. */
  readonly rest: unknown;
  readonly title: string;
}

/** Titles up to this length can be read in an open card's header, even on a phone. */
const readInHead = 120;

/** Whether a title already shows the whole text. */
export const isInTitle = (text: string, title: string) =>
  text.length <= readInHead && !text.includes("\n") && title.includes(text);

/** The fields of a call's input that its title does not already show. */
export function InputFields({ rest, title }: InputFieldsProps) {
  const [whole, setWhole] = useState(false);
  const fields = fieldsOf(rest) ?? (rest === undefined || rest === null ? {} : { input: rest });
  const others = Object.entries(fields).filter(
    ([, value]) => value !== "" && (typeof value !== "string" || !isInTitle(value, title)),
  );
  if (others.length === 0) return null;
  const shown = whole ? others : others.slice(0, fieldsAtFirst);
  return (
    <>
      <ScrollBox
        as="dl"
        className="grid max-h-64 grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5 overflow-auto text-xs"
      >
        {shown.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{plainText(name)}</dt>
            <dd className="whitespace-pre-wrap break-words font-mono text-muted">
              <LongText
                text={plainText(typeof value === "string" ? value : JSON.stringify(value, null, 1))}
              />
            </dd>
          </div>
        ))}
      </ScrollBox>
      {shown.length < others.length && (
        <TextButton className="mt-1 text-xs" onClick={() => setWhole(true)}>
          Show all {others.length.toLocaleString("en")} fields
        </TextButton>
      )}
    </>
  );
}
