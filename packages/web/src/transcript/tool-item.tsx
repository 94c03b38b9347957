import type { Item, ToolKind } from "@drover/core";
import { type ComponentType, type ReactNode, useMemo, useState } from "react";
import { plainText } from "../format/terminal.ts";
import { readInput, readOutput, type ToolOutput } from "../format/tool-content.ts";
import { DecisionLine } from "../interaction/decision-line.tsx";
import {
  ChevronIcon,
  FileIcon,
  GlobeIcon,
  MoveIcon,
  PencilIcon,
  PlanIcon,
  SearchIcon,
  SpinnerIcon,
  TerminalIcon,
  ThoughtIcon,
  ToolIcon,
  TrashIcon,
} from "../ui/icons.tsx";
import type { ItemEntry } from "./entries.ts";
import { Changes, InputText, OutputText } from "./tool-body.tsx";

const icons: Readonly<Record<ToolKind, ComponentType<{ size?: number }>>> = {
  read: FileIcon,
  edit: PencilIcon,
  delete: TrashIcon,
  move: MoveIcon,
  search: SearchIcon,
  execute: TerminalIcon,
  think: ThoughtIcon,
  fetch: GlobeIcon,
  switch_mode: ToolIcon,
  plan: PlanIcon,
  other: ToolIcon,
};

/** Looking at something is rarely worth reading again; what changed or failed is. */
const quietKinds: readonly ToolKind[] = ["read", "search", "fetch", "think", "switch_mode"];

export function ToolItem({ entry, children }: { entry: ItemEntry; children: ReactNode }) {
  const { item, interaction } = entry;
  const { tool } = item;
  const input = useMemo(() => readInput(tool?.input), [tool?.input]);
  const output = useMemo(() => readOutput(tool?.result), [tool?.result]);
  const [chosen, setChosen] = useState<boolean>();
  if (!tool) return null;

  const failed = tool.status === "error";
  const waits = interaction?.state === "open";
  // What is asked stands whole in the card below; twice would be once too often.
  const open = !waits && (chosen ?? (failed || !quietKinds.includes(tool.kind)));
  const Icon = icons[tool.kind] ?? ToolIcon;
  const title = plainText(tool.title || tool.toolName);
  return (
    <article aria-label={`Tool: ${title}`} className="rounded-md border border-line">
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setChosen(!open)}
        className="flex min-h-8 w-full items-center gap-2 rounded-md px-2.5 py-1 text-left hover:bg-hover"
      >
        <span className="text-muted">
          <Icon size={14} />
        </span>
        <span
          className={`min-w-0 truncate ${tool.kind === "execute" ? "font-mono text-xs" : ""}`}
          title={title}
        >
          {title}
        </span>
        <span className="ml-auto flex shrink-0 items-center gap-1.5 text-2xs">
          <Outcome item={item} output={output} waits={waits} />
          <span className={`text-faint transition-transform ${open ? "rotate-90" : ""}`}>
            <ChevronIcon size={12} />
          </span>
        </span>
      </button>
      {open && (
        <div className="grid gap-2 px-2.5 pb-2 empty:hidden">
          <InputText input={input} title={title} />
          <Changes input={input} output={output} />
          <OutputText text={output.text} failed={failed && output.exitCode === undefined} />
        </div>
      )}
      {children && <div className="mx-2.5 mb-2.5 grid gap-2.5 border-line border-l-2 pl-3">{children}</div>}
      {interaction?.state === "resolved" && (
        <div className="border-line border-t px-2.5 py-1">
          <DecisionLine interaction={interaction} />
        </div>
      )}
    </article>
  );
}

function Outcome({ item, output, waits }: { item: Item; output: ToolOutput; waits: boolean }) {
  const status = item.tool?.status;
  const { exitCode } = output;
  if (waits) return <span className="font-medium text-warn">waits for you</span>;
  if (item.status === "partial") return <span className="text-warn">cut off</span>;
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
