import type { DiffLine } from "../format/line-diff.ts";
import type { FileChange } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import type { DiffRow } from "./fold.ts";
import type { Line } from "./highlighter.ts";
import { piecesOf } from "./line-pieces.ts";
import { type DiffSide, useDiffColours } from "./use-diff-colours.ts";

const looks: Readonly<Record<DiffRow["sign"], string>> = {
  "+": "bg-good/12",
  "-": "bg-bad/12",
  " ": "",
  "…": "text-faint select-none",
};

const sides: Readonly<Record<DiffLine["sign"], DiffSide>> = { "-": "old", "+": "now", " ": "both" };
const sideOf = ({ sign }: DiffLine) => sides[sign];

interface DiffRowsProps {
  readonly change: FileChange;
  readonly lines: readonly DiffLine[];
  /** The lines to render, perhaps folded. */
  readonly rows: readonly DiffRow[];
  readonly onUnfold: () => void;
}

export function DiffRows({ change: { path, before }, lines, rows, onUnfold }: DiffRowsProps) {
  const colours = useDiffColours({ path, lines, sideOf });
  return rows.map((row, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one change never move
    <span key={index} className={`flex px-2.5 ${before === undefined ? "" : looks[row.sign]}`}>
      {before !== undefined && <span className="w-4 shrink-0 select-none text-muted">{row.sign}</span>}
      {row.sign === "…" ? (
        <TextButton onClick={onUnfold}>{row.text}</TextButton>
      ) : (
        <span className="min-w-0">
          <Text row={row} tokens={colours.get(row)} />
        </span>
      )}
    </span>
  ));
}

function Text({ row, tokens }: { row: DiffRow; tokens: Line | undefined }) {
  if (!tokens || row.text === "") return row.text || " ";
  return piecesOf([{ text: row.text, changed: false }], tokens).map(({ text, look }, index) =>
    look ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move
      <span key={index} className={look}>
        {text}
      </span>
    ) : (
      text
    ),
  );
}
