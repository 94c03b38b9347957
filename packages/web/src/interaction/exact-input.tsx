import type { Interaction } from "@drover/core";
import { useMemo } from "react";
import { exactLines } from "../format/exact-lines.ts";
import { joinDiffs } from "../format/shown-change.ts";
import { fieldsOf, readChange, readInput } from "../format/tool-input.ts";
import { CommandText } from "./command-text.tsx";
import { ExactBox, Frame, sizeOf } from "./exact-box.tsx";
import { ExactDiff } from "./exact-diff.tsx";
import { PlanText } from "./plan-text.tsx";

/** All of what would be done: the parts that can be read easily, and the rest as JSON. This is what is approved. */
export function ExactInput({ input, diffs }: Pick<Interaction, "input" | "diffs">) {
  const { command, plan, rest, changes: own } = useMemo(() => readInput(input), [input]);
  const { changes, others } = useMemo(() => joinDiffs(own, diffs), [own, diffs]);
  return (
    <>
      {command !== undefined && <CommandText command={command} />}
      {plan !== undefined && <PlanText plan={plan} />}
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input's changes never move
        <ExactDiff key={index} change={change} />
      ))}
      {rest !== undefined && <Json value={rest} />}
      {others.length > 0 && (
        <section aria-label="Also shown by the agent" className="grid min-w-0 gap-2">
          <p className="text-muted text-xs">The agent also shows this, which is not part of the input:</p>
          {others.map((diff, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: an agent's diffs never move
            <OtherDiff key={index} diff={diff} />
          ))}
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
  const text = exactLines(JSON.stringify(value, null, 2));
  return (
    <Frame>
      <ExactBox size={sizeOf(text)} className="px-3 py-2 text-xs">
        {text}
      </ExactBox>
    </Frame>
  );
}
