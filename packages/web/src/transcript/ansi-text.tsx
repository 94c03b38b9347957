import { useMemo } from "react";
import { type AnsiColour, type AnsiLook, readAnsi } from "../format/ansi.ts";

const inks: Readonly<Record<AnsiColour, string>> = {
  black: "text-faint",
  red: "text-bad",
  green: "text-good",
  yellow: "text-warn",
  blue: "text-accent",
  magenta: "text-rest",
  cyan: "ansi-cyan",
  white: "text-ink",
};

const grounds: Readonly<Record<AnsiColour, string>> = {
  black: "bg-ink/10",
  red: "bg-bad/15",
  green: "bg-good/15",
  yellow: "bg-warn-dot/20",
  blue: "bg-accent/15",
  magenta: "bg-rest/15",
  cyan: "bg-accent/10",
  white: "bg-ink/10",
};

/** Terminal output in its colours. Every span is plain text in one of the styles above. */
export function AnsiText({ text }: { text: string }) {
  const spans = useMemo(() => readAnsi(text), [text]);
  return spans.map(({ text: words, look }, index) => {
    const classes = classesOf(look);
    if (classes === "") return words;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the spans of one output never move
      <span key={index} className={classes}>
        {words}
      </span>
    );
  });
}

function classesOf({ colour, ground, bold, dim, italic, underline }: AnsiLook): string {
  return [
    colour ? inks[colour] : dim && "text-faint",
    ground && grounds[ground],
    bold && "font-semibold",
    italic && "italic",
    underline && "underline",
  ]
    .filter(Boolean)
    .join(" ");
}
