import { exactInput, type Interaction } from "@drover/core";
import { useMemo } from "react";
import { withBefore } from "../format/shown-change.ts";
import { readInput } from "../format/tool-content.ts";
import { Diff } from "../transcript/diff.tsx";
import { ScrollBox } from "../ui/scroll-box.tsx";
import { CommandText } from "./command-text.tsx";

/** All of what would be done, nothing hidden and nothing cut: this is what a person says yes to. */
export function ExactInput({ input, diffs }: Pick<Interaction, "input" | "diffs">) {
  const { command, plan, rest, ...read } = useMemo(() => readInput(input), [input]);
  const changes = useMemo(() => withBefore(read.changes, diffs), [read.changes, diffs]);
  const others = plan === undefined ? rest : { plan, ...rest };
  return (
    <>
      {command !== undefined && <CommandText command={command} />}
      {changes.map((change, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an input's changes never move
        <div key={index} className="rounded-md bg-canvas">
          <Diff change={change} show={exactInput} />
        </div>
      ))}
      {Object.keys(others).length > 0 && (
        <ScrollBox className="goes-on max-h-[min(18rem,40dvh)] overflow-auto whitespace-pre-wrap break-words rounded-md border border-line px-3 py-2 font-mono text-xs">
          {exactInput(JSON.stringify(others, null, 2))}
        </ScrollBox>
      )}
    </>
  );
}
