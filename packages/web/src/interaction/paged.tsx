import { Fragment, type ReactNode, useMemo, useState } from "react";
import { type Page, pagesOf } from "../format/pages.ts";
import { TextButton } from "../ui/button.tsx";

interface PagedProps<T> {
  readonly entries: readonly T[];
  /** What the entries are, such as `Lines`. */
  readonly name: string;
  readonly weightOf: (entry: T) => number;
  readonly children: (shown: readonly T[], from: number) => ReactNode;
}

/**
 * Shows the entries one page at a time, so that a request of any length can be rendered, read and answered. One long box
 * would not do: browsers cannot scroll through millions of lines.
 */
export function Paged<T>({ entries, name, weightOf, children }: PagedProps<T>) {
  const pages = useMemo(() => pagesOf(entries, weightOf), [entries, weightOf]);
  const [wanted, setWanted] = useState(0);
  const at = Math.min(wanted, pages.length - 1);
  const { from, to } = pages[at] as Page;
  const shown = useMemo(
    () => (pages.length === 1 ? entries : entries.slice(from, to)),
    [entries, pages, from, to],
  );
  return (
    <>
      <Fragment key={at}>{children(shown, from)}</Fragment>
      {pages.length > 1 && (
        <p className="flex flex-wrap gap-x-3 border-line border-t px-2.5 py-1 text-2xs text-warn">
          <span role="status">
            {name} {count(from + 1)}–{count(to)} of {count(entries.length)}
          </span>
          <Turn to={0} at={at} onTurn={setWanted} label={`First ${name.toLowerCase()}`} />
          <Turn
            to={Math.max(0, at - 1)}
            at={at}
            onTurn={setWanted}
            label={`Previous ${name.toLowerCase()}`}
          />
          <Turn
            to={Math.min(pages.length - 1, at + 1)}
            at={at}
            onTurn={setWanted}
            label={`Next ${name.toLowerCase()}`}
          />
          <Turn to={pages.length - 1} at={at} onTurn={setWanted} label={`Last ${name.toLowerCase()}`} />
        </p>
      )}
    </>
  );
}

const count = (n: number) => n.toLocaleString("en");

interface TurnProps {
  readonly to: number;
  readonly at: number;
  readonly label: string;
  readonly onTurn: (to: number) => void;
}

const Turn = ({ to, at, label, onTurn }: TurnProps) => (
  <TextButton className="disabled:opacity-45" disabled={to === at} onClick={() => onTurn(to)}>
    {label}
  </TextButton>
);
