import { memo } from "react";
import type { Line } from "./highlighter.ts";
import { useHighlight } from "./use-highlight.ts";

/** Highlighted code. The text appears at once, and its colours follow line by line. */
export function Code({ code, language }: { code: string; language: string | undefined }) {
  const coloured = useHighlight(code, language);
  const rest = code.split("\n").slice(coloured.length).join("\n");
  return (
    <code>
      {coloured.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position
        <CodeLine key={index} line={line} ends={index < coloured.length - 1 || rest !== ""} />
      ))}
      {rest}
    </code>
  );
}

const CodeLine = memo(function CodeLine({ line, ends }: { line: Line; ends: boolean }) {
  return (
    <>
      {line.map(({ text, look }, index) =>
        look === undefined ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a line never move
          <span key={index} className={look}>
            {text}
          </span>
        ),
      )}
      {ends && "\n"}
    </>
  );
});
