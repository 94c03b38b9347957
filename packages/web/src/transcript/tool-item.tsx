import { exactText, type Item } from "@drover/core";
import { useMemo, useState } from "react";
import { changeCounts, shownChanges, soleChange } from "../format/shown-change.ts";
import { plainText } from "../format/terminal.ts";
import { readOutput, type ToolOutput } from "../format/tool-content.ts";
import { readInput } from "../format/tool-input.ts";
import { DecisionLine } from "../interaction/decision-line.tsx";
import { Counts } from "../ui/counts.tsx";
import { ChevronIcon, SpinnerIcon } from "../ui/icons.tsx";
import type { ItemProps } from "./entries.ts";
import { holdsSeq, type ItemEntry } from "./entries.ts";
import { SubAgentIcon } from "./icons.tsx";
import { useReader } from "./reader.ts";
import { toolParts } from "./tool-parts.tsx";

/** A longer title repeats the input, which an open card shows below it. */
const maxTitle = 140;

export function ToolItem({ entry, children }: ItemProps) {
  const { item, interaction } = entry;
  const { tool } = item;
  const input = useMemo(() => readInput(tool?.input), [tool?.input]);
  const output = useMemo(
    () => readOutput(tool?.result, tool?.status === "denied"),
    [tool?.result, tool?.status],
  );
  const { target, session } = useReader();
  const [chosen, setChosen] = useState<boolean>();
  if (!tool) return null;

  const part = toolParts[tool.kind] ?? toolParts.other;
  const failed = tool.status === "error";
  const waits = interaction?.state === "open";
  const hasInside = entry.nested.length > 0;
  const isTarget = target === item.seq;
  const holdsTarget = target !== undefined && !isTarget && holdsSeq(entry, target);
  // The interaction card below shows the whole request.
  const bodyOpen = !waits && (chosen ?? (isTarget || failed || (!part.quiet && !hasInside)));
  // A sub-agent's steps are shown by default, its task and report on request.
  const stepsOpen = hasInside && (chosen !== false || holdsTarget);
  const open = bodyOpen || stepsOpen;
  // Reading takes one line; what ran, changed, failed or asks gets a card.
  const isLine = part.quiet === true && !open && !hasInside && interaction === undefined;
  const Icon = hasInside ? SubAgentIcon : part.Icon;
  const title = exactText(plainText(tool.title || tool.toolName));
  const sole = soleChange(shownChanges(input, output), { title, cwd: session.cwd });
  const counts = sole && changeCounts(sole);
  return (
    <article
      aria-label={`Tool: ${title}`}
      data-tool-call-id={tool.toolCallId}
      className={isLine ? "-mx-2 -my-1 text-muted" : "rounded-md border border-line"}
    >
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setChosen(!open)}
        className={`flex w-full items-center gap-2 rounded-md py-1 text-left hover:bg-hover ${isLine ? "px-2 md:min-h-7" : "px-2.5 md:min-h-8"}`}
      >
        <span className="text-muted">
          <Icon size={14} />
        </span>
        <span
          className={`min-w-0 ${open && title.length <= maxTitle ? "wrap-anywhere" : "truncate"} ${part.mono ? "font-mono text-xs" : ""}`}
          title={title}
        >
          {title}
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 text-2xs">
          {hasInside && <span className="text-faint">{stepsOf(entry)}</span>}
          {counts && !waits && <Counts {...counts} />}
          <Outcome item={item} output={output} waits={waits} />
          <span className={`text-faint transition-transform ${open ? "rotate-90" : ""}`}>
            <ChevronIcon size={12} />
          </span>
        </span>
      </button>
      {bodyOpen && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-2 px-2.5 pt-1 pb-2 empty:hidden">
          <part.Body tool={tool} title={title} input={input} output={output} failed={failed} />
        </div>
      )}
      {stepsOpen && <div className="mx-2.5 mb-2.5 border-line border-l-2 pl-3">{children}</div>}
      {interaction?.state === "resolved" && (
        <div className="border-line border-t px-2.5 py-1">
          <DecisionLine interaction={interaction} />
        </div>
      )}
    </article>
  );
}

const stepsOf = ({ nested }: ItemEntry) => `${nested.length} ${nested.length === 1 ? "step" : "steps"}`;

function Outcome({ item, output, waits }: { item: Item; output: ToolOutput; waits: boolean }) {
  const status = item.tool?.status;
  const { exitCode } = output;
  if (waits) return <span className="font-medium text-warn">waiting for you</span>;
  if (status === "interrupted") return <span className="text-warn">interrupted</span>;
  if (item.status === "partial") return <span className="text-warn">interrupted</span>;
  if (status === "denied") return <span className="text-bad">denied</span>;
  if (exitCode !== undefined) {
    return <span className={`font-mono ${exitCode === 0 ? "text-faint" : "text-bad"}`}>exit {exitCode}</span>;
  }
  if (status === "error") return <span className="text-bad">failed</span>;
  if (status === "running") {
    return (
      <span className="text-accent">
        <span className="sr-only">running</span>
        <SpinnerIcon size={13} />
      </span>
    );
  }
  return null;
}
