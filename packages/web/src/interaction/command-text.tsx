import { exactInput } from "@drover/core";
import { useMemo } from "react";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { type CommandPart, commandParts } from "./command-parts.ts";

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

/** A command to approve: all of it, with what runs and what joins standing out. */
export function CommandText({ command }: { command: string }) {
  const parts = useMemo(() => commandParts(command), [command]);
  return (
    <ScrollBox className="goes-on max-h-[min(18rem,40dvh)] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line px-3 py-2 font-mono text-sm">
      <span className="select-none text-faint">$ </span>
      {parts.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a command never move
        <span key={index} className={looks[kind]}>
          {exactInput(text)}
        </span>
      ))}
    </ScrollBox>
  );
}
