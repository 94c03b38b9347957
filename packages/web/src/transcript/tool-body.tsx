import { useState } from "react";
import { plainText } from "../format/terminal.ts";
import type { FileChange, ToolInput, ToolOutput } from "../format/tool-content.ts";
import { Diff } from "./diff.tsx";

const shownAtFirst = 20_000;

/** Text a tool printed: without terminal escapes, in a box of its own, long ones on request. */
export function OutputText({ text, failed }: { text: string; failed: boolean }) {
  const [whole, setWhole] = useState(false);
  const plain = plainText(text).replace(/\s+$/, "");
  if (plain === "") return null;
  const cut = !whole && plain.length > shownAtFirst;
  return (
    <div>
      <pre
        className={`max-h-80 overflow-auto whitespace-pre-wrap break-words font-mono text-xs ${failed ? "text-bad" : "text-muted"}`}
      >
        {cut ? plain.slice(0, shownAtFirst) : plain}
      </pre>
      {cut && (
        <button type="button" className="mt-1 text-accent text-xs" onClick={() => setWhole(true)}>
          Show all {Math.round(plain.length / 1000)} thousand characters
        </button>
      )}
    </div>
  );
}

/** A tool call's input that its title does not already say. */
export function InputText({ input, title }: { input: ToolInput; title: string }) {
  const command = input.command !== undefined && !title.includes(input.command) ? input.command : undefined;
  const rest = Object.entries(input.rest).filter(
    ([, value]) => typeof value !== "string" || !title.includes(value),
  );
  if (command === undefined && rest.length === 0) return null;
  return (
    <div className="font-mono text-xs">
      {command !== undefined && (
        <pre className="whitespace-pre-wrap break-words">
          <span className="select-none text-faint">$ </span>
          {plainText(command)}
        </pre>
      )}
      {rest.length > 0 && (
        <pre className="max-h-48 overflow-auto whitespace-pre-wrap break-words text-muted">
          {plainText(JSON.stringify(Object.fromEntries(rest), null, 2))}
        </pre>
      )}
    </div>
  );
}

/** The changes a call made; what it reports goes before what it was asked for. */
export function Changes({ input, output }: { input: ToolInput; output: ToolOutput }) {
  const changes: readonly FileChange[] = output.changes.length > 0 ? output.changes : input.changes;
  return changes.map((change, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a call's changes never move
    <Diff key={index} change={change} show={plainText} />
  ));
}
