import { useMemo } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { lineWeight } from "../format/pages.ts";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { Frame, linesSize } from "./exact-box.tsx";
import { Paged } from "./paged.tsx";
import { type PlanLine, planLines } from "./plan-lines.ts";

const looks = { heading: "font-semibold", code: "font-mono text-xs", text: "" } as const;

/** A plan to approve, as Markdown source: rendered Markdown hides comments, link targets and more. */
export function PlanText({ plan }: { plan: string }) {
  const lines = useMemo(() => planLines(plan), [plan]);
  return (
    <Frame>
      <Paged entries={lines} name="Lines" weightOf={weightOf}>
        {(shown) => <PlanPage lines={shown} />}
      </Paged>
    </Frame>
  );
}

const weightOf = ({ text }: PlanLine) => lineWeight(text);

function PlanPage({ lines }: { lines: readonly PlanLine[] }) {
  return (
    <ScrollBox
      as="div"
      role="region"
      aria-label="Plan"
      className="goes-on wrap-anywhere max-h-[50dvh] overflow-auto whitespace-pre-wrap px-3.5 py-3"
      note={
        <p className="border-line border-t px-3.5 py-1 text-2xs text-muted">
          Scroll to read all {linesSize(lines.length)}
        </p>
      }
    >
      {lines.map(({ kind, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a plan never move
        <div key={index} dir="auto" className={looks[kind]}>
          {exactLines(text) || "\n"}
        </div>
      ))}
    </ScrollBox>
  );
}
