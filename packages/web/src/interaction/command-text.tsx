import { useMemo } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { commandLine } from "../format/tool-input.ts";
import { type CommandPart, commandParts } from "./command-parts.ts";
import { ExactBox, Frame, sizeOf } from "./exact-box.tsx";
import { ExactText } from "./exact-text.tsx";

const looks: Readonly<Record<CommandPart["kind"], string>> = {
  program: "font-semibold text-ink",
  word: "",
  flag: "text-muted",
  text: "text-good",
  operator: "font-semibold text-warn",
  variable: "text-rest",
  comment: "text-faint",
  space: "",
};

/** Longer commands are not highlighted; it would be slow. */
const maxColoured = 20_000;

const prompt = <span className="select-none text-faint">$ </span>;

function ColouredCommand({ text, className }: { text: string; className: string }) {
  const parts = useMemo(() => commandParts(text), [text]);
  return (
    <ExactBox size={sizeOf(text)} className={className}>
      {prompt}
      {parts.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a command never move
        <span key={index} className={looks[kind]}>
          {text}
        </span>
      ))}
    </ExactBox>
  );
}

/** A command to approve, in full, with programs and operators highlighted. */
export function CommandText({ command }: { command: string | readonly string[] }) {
  const text = useMemo(() => commandLine(command), [command]);
  const look = "px-3 py-2 text-sm";
  return (
    <Frame>
      {text.length > maxColoured ? (
        <ExactText text={text} className={look} prefix={prompt} />
      ) : (
        <ColouredCommand text={exactLines(text)} className={look} />
      )}
      {typeof command !== "string" && (
        <p className="border-line border-t px-3 py-1 text-2xs text-muted">
          {command.length === 1 ? "A list of 1 argument" : `A list of ${command.length} arguments`}
        </p>
      )}
    </Frame>
  );
}
