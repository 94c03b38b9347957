import { type ReactNode, useMemo } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { lineWeight } from "../format/pages.ts";
import { ExactBox, sizeOf } from "./exact-box.tsx";
import { Paged } from "./paged.tsx";

interface ExactTextProps {
  /** Raw text; this component spells out hidden characters. */
  readonly text: string;
  readonly className: string;
  /** Shown before the first line. */
  readonly prefix?: ReactNode;
}

/** Text to approve, split into pages if it is long. */
export function ExactText({ text, className, prefix }: ExactTextProps) {
  const lines = useMemo(() => text.split("\n"), [text]);
  return (
    <Paged entries={lines} name="Lines" weightOf={lineWeight}>
      {(shown, from) => {
        const exact = exactLines(shown.join("\n"));
        return (
          <ExactBox size={sizeOf(exact)} className={className}>
            {from === 0 && prefix}
            {exact}
          </ExactBox>
        );
      }}
    </Paged>
  );
}
