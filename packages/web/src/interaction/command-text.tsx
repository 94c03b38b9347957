import { useMemo } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { commandLine } from "../format/tool-input.ts";
import { type CommandPart, commandParts } from "./command-parts.ts";
import { ExactBox, Frame, sizeOf } from "./exact-box.tsx";

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

/** Longer ones are plain: nobody reads so many colours, and each costs. */
const maxColoured = 20_000;

/** A command to approve: all of it, with what runs and what joins standing out. */
export function CommandText({ command }: { command: string | readonly string[] }) {
  const text = useMemo(() => exactLines(commandLine(command)), [command]);
  const parts = useMemo(() => (text.length > maxColoured ? undefined : commandParts(text)), [text]);
  return (
    <Frame>
      <ExactBox size={sizeOf(text)} className="px-3 py-2 text-sm">
        <span className="select-none text-faint">$ </span>
        {parts?.map(({ kind, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a command never move
          <span key={index} className={looks[kind]}>
            {text}
          </span>
        )) ?? text}
      </ExactBox>
      {typeof command !== "string" && (
        <p className="border-line border-t px-3 py-1 text-2xs text-muted">
          {command.length === 1 ? "A list of 1 argument" : `A list of ${command.length} arguments`}
        </p>
      )}
    </Frame>
  );
}
