import { exactInput, type Item, type ToolKind } from "@drover/core";
import { type ComponentType, useState } from "react";
import { Diff } from "../code/diff.tsx";
import { shownChanges, soleChange } from "../format/shown-change.ts";
import type { ToolOutput } from "../format/tool-content.ts";
import { commandLine, type ToolInput } from "../format/tool-input.ts";
import { TextButton } from "../ui/button.tsx";
import {
  FileIcon,
  GlobeIcon,
  MoveIcon,
  PencilIcon,
  PlanIcon,
  SearchIcon,
  TerminalIcon,
  ThoughtIcon,
  ToolIcon,
  TrashIcon,
} from "../ui/icons.tsx";
import { MarkdownText } from "./markdown-text.tsx";
import { useReader } from "./reader.ts";
import { InputFields, isInTitle, LongText, OutputText } from "./tool-text.tsx";

export interface ToolPartProps {
  readonly tool: NonNullable<Item["tool"]>;
  /** As shown in the card's header. */
  readonly title: string;
  readonly input: ToolInput;
  readonly output: ToolOutput;
  readonly failed: boolean;
}

interface ToolPart {
  readonly Icon: ComponentType<{ size?: number }>;
  readonly Body: ComponentType<ToolPartProps>;
  /** Collapsed by default: the result of reading something is rarely worth a second look. */
  readonly quiet?: boolean;
  readonly mono?: boolean;
}

/** How each kind of tool call is shown. */
export const toolParts: Readonly<Record<ToolKind, ToolPart>> = {
  execute: { Icon: TerminalIcon, Body: Command, mono: true },
  edit: { Icon: PencilIcon, Body: Change },
  delete: { Icon: TrashIcon, Body: Change },
  move: { Icon: MoveIcon, Body: Change },
  read: { Icon: FileIcon, Body: Lookup, quiet: true },
  search: { Icon: SearchIcon, Body: Lookup, quiet: true },
  fetch: { Icon: GlobeIcon, Body: Lookup, quiet: true },
  think: { Icon: ThoughtIcon, Body: Thought, quiet: true },
  plan: { Icon: PlanIcon, Body: Plan },
  switch_mode: { Icon: ToolIcon, Body: Anything, quiet: true },
  other: { Icon: ToolIcon, Body: Anything },
};

/** A command and its output, as in a terminal. */
function Command({ title, input, output, failed }: ToolPartProps) {
  const command = commandLine(input.command ?? "");
  const hasCommand = command !== "" && !isInTitle(command, title);
  return (
    <>
      <InputFields rest={input.rest} title={title} />
      {(hasCommand || output.text.trim() !== "") && (
        <div className="grid overflow-hidden rounded-md bg-raised [--ground:var(--raised)]">
          {hasCommand && (
            <pre className="whitespace-pre-wrap break-words px-2.5 py-2 font-mono text-xs not-last:pb-0">
              <span className="select-none text-faint">$ </span>
              <LongText text={exactInput(command)} />
            </pre>
          )}
          <OutputText text={output.text} failed={failed && output.exitCode === undefined} terminal />
        </div>
      )}
    </>
  );
}

const changesAtFirst = 20;

function Change({ title, input, output, failed }: ToolPartProps) {
  const { cwd } = useReader().session;
  const changes = shownChanges(input, output);
  const [whole, setWhole] = useState(false);
  const shown = whole ? changes : changes.slice(0, changesAtFirst);
  return (
    <>
      <InputFields rest={input.rest} title={title} />
      {shown.map((change, index) => (
        <Diff
          // biome-ignore lint/suspicious/noArrayIndexKey: a call's changes never move
          key={index}
          change={change}
          base={cwd}
          bare={soleChange(changes, { title, cwd }) !== undefined}
        />
      ))}
      {shown.length < changes.length && (
        <TextButton className="text-xs" onClick={() => setWhole(true)}>
          Show all {changes.length.toLocaleString("en")} changes
        </TextButton>
      )}
      {(failed || changes.length === 0) && <OutputText text={output.text} failed={failed} />}
    </>
  );
}

/** The input and result of reading, searching or fetching. */
function Lookup({ title, input, output, failed }: ToolPartProps) {
  return (
    <>
      <InputFields rest={input.rest} title={title} />
      <OutputText text={output.text} failed={failed} />
    </>
  );
}

function Plan({ title, input, output, failed }: ToolPartProps) {
  return (
    <>
      {input.plan !== undefined && <MarkdownText text={input.plan} />}
      <InputFields rest={input.rest} title={title} />
      <OutputText text={output.text} failed={failed} />
    </>
  );
}

function Thought({ title, input, output }: ToolPartProps) {
  return (
    <>
      <InputFields rest={input.rest} title={title} />
      {output.text.trim() !== "" && <MarkdownText text={output.text} />}
    </>
  );
}

/** A tool of unknown kind: its whole input and output. */
function Anything(props: ToolPartProps) {
  const { command, changes } = props.input;
  if (changes.length > 0 || props.output.changes.length > 0) return <Change {...props} />;
  return command === undefined ? <Plan {...props} /> : <Command {...props} />;
}
