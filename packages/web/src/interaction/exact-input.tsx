import type { Interaction } from "@drover/core";
import { useMemo } from "react";
import { textWeight } from "../format/pages.ts";
import { joinDiffs, type ShownChange } from "../format/shown-change.ts";
import { fieldsOf, readChange, readInput } from "../format/tool-input.ts";
import { CommandText } from "./command-text.tsx";
import { Frame } from "./exact-box.tsx";
import { ExactDiff } from "./exact-diff.tsx";
import { ExactText } from "./exact-text.tsx";
import { Paged } from "./paged.tsx";
import { PlanText } from "./plan-text.tsx";

/** The whole input that is being approved: commands, plans and changes in readable form, anything else as JSON. */
export function ExactInput({ input, diffs }: Pick<Interaction, "input" | "diffs">) {
  const { command, plan, rest, changes: own } = useMemo(() => readInput(input), [input]);
  const { changes, others } = useMemo(() => joinDiffs(own, diffs), [own, diffs]);
  return (
    <>
      {command !== undefined && <CommandText command={command} />}
      {plan !== undefined && <PlanText plan={plan} />}
      <Paged entries={changes} name="Changes" weightOf={changeWeight}>
        {(shown) =>
          shown.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an input's changes never move
            <ExactDiff key={index} change={change} />
          ))
        }
      </Paged>
      {rest !== undefined && <Json value={rest} />}
      {others.length > 0 && (
        <section aria-label="Also shown by the agent" className="grid min-w-0 gap-2">
          <p className="text-muted text-xs">Also shown by the agent, but not part of the input:</p>
          <Paged entries={others} name="Changes" weightOf={otherWeight}>
            {(shown) =>
              shown.map((diff, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: an agent's diffs never move
                <OtherDiff key={index} diff={diff} />
              ))
            }
          </Paged>
        </section>
      )}
    </>
  );
}

function OtherDiff({ diff }: { diff: unknown }) {
  const change = useMemo(() => readChange(fieldsOf(diff) ?? {}), [diff]);
  return change ? <ExactDiff change={change} /> : <Json value={diff} />;
}

function Json({ value }: { value: unknown }) {
  const text = useMemo(() => JSON.stringify(value, null, 2), [value]);
  return (
    <Frame>
      <ExactText text={text} className="px-3 py-2 text-xs" />
    </Frame>
  );
}

/** What the frame and header of a change weigh, in lines. */
const frameWeight = 10;

const changeWeight = ({ before, after }: ShownChange) =>
  frameWeight + textWeight(before ?? "") + textWeight(after);

const otherWeight = (diff: unknown) => frameWeight + textWeight(JSON.stringify(diff, null, 2));
