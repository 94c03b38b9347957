import type { GatedChanges as Gated, Interaction } from "@drover/core";
import { useMemo } from "react";
import { exactName } from "../format/exact-lines.ts";
import { exactNotation } from "../format/exact-rows.ts";
import { type FilePatch, splitDiff } from "../format/git-diff.ts";
import { lineWeight } from "../format/pages.ts";
import { sessionHref } from "../session/session-href.ts";
import { Counts } from "../ui/counts.tsx";
import { ExactRows } from "./exact-diff.tsx";
import { Paged } from "./paged.tsx";

/** What a turn has changed, for approval at its end: the whole diff, or what is missing and where to see it. */
export function GatedChanges({ interaction: { input, sessionName, turnId } }: { interaction: Interaction }) {
  // Drover wrote it.
  const { incomplete, diff } = input as Gated;
  const files = useMemo(() => splitDiff(diff ?? ""), [diff]);
  return (
    <>
      {incomplete !== undefined && <p className="wrap-anywhere text-warn">{incomplete}</p>}
      <Paged entries={files} name="Files" weightOf={fileWeight}>
        {(shown) =>
          shown.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the files of a diff never move
            <Patch key={index} file={file} />
          ))
        }
      </Paged>
      <p className="flex flex-wrap gap-x-3 text-muted text-xs">
        <span>Approving covers these files. The agent's commands have already run.</span>
        {turnId !== undefined && (
          <a className="underline" href={sessionHref(sessionName, "changes", { turn: turnId })}>
            Open in Changes
          </a>
        )}
      </p>
    </>
  );
}

function Patch({ file: { path, lines } }: { file: FilePatch }) {
  const notation = useMemo(() => exactNotation(lines), [lines]);
  const count = (wanted: string) => lines.filter(({ sign }) => sign === wanted).length;
  return (
    <figure className="overflow-hidden rounded-md border border-line bg-canvas">
      <figcaption className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-line border-b bg-raised px-2.5 py-1 font-mono text-2xs">
        <span className="in-order min-w-0 break-all">{exactName(path)}</span>
        <span className="ml-auto text-faint">
          <Counts added={count("+")} removed={count("-")} />
        </span>
      </figcaption>
      <Paged entries={lines} name="Lines" weightOf={({ text }) => lineWeight(text)}>
        {(rows) => (
          <ExactRows
            change={{ path, before: "", after: "" }}
            rows={rows}
            notation={notation}
            onUnfold={nothing}
          />
        )}
      </Paged>
    </figure>
  );
}

const nothing = () => {};

const frameWeight = 10;
const fileWeight = ({ lines }: FilePatch) =>
  lines.reduce((sum, { text }) => sum + lineWeight(text), frameWeight);
