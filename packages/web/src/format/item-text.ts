import type { Item } from "@drover/core";
import { fileCount } from "./file-count.ts";
import { plainText } from "./terminal.ts";
import { readOutput } from "./tool-content.ts";
import { commandLine, readInput } from "./tool-input.ts";

/** An item as plain text, for copying and searching. */
export function itemText(item: Item): string {
  const { tool, tasks, text, changes } = item;
  if (tool) return toolText(tool);
  if (tasks) return tasks.map(({ title, status }) => `[${marks[status]}] ${title}`).join("\n");
  if (changes) return `${fileCount(changes.files)} +${changes.added} −${changes.removed}`;
  return plainText(text ?? "");
}

const marks = { pending: " ", in_progress: "~", completed: "x", cancelled: "-" } as const;

function toolText({ title, toolName, input, result }: NonNullable<Item["tool"]>): string {
  const { command, plan, changes, rest } = readInput(input);
  const { text } = readOutput(result);
  const line = command === undefined ? "" : commandLine(command);
  const more = isEmpty(rest) ? "" : JSON.stringify(rest, null, 2);
  const parts = [
    title || toolName,
    line === "" || title.includes(line) ? "" : `$ ${line}`,
    plan ?? "",
    more,
    ...changes.map(({ path, after }) => `${path}\n${after}`),
    text,
  ];
  return plainText(parts.filter((part) => part !== "").join("\n"));
}

const isEmpty = (rest: unknown) =>
  rest === undefined || rest === null || (typeof rest === "object" && Object.keys(rest).length === 0);

const folded = new WeakMap<Item, string>();

/** Whether an item's text contains this lower-case needle. */
export function itemContains(item: Item, needle: string): boolean {
  let words = folded.get(item);
  if (words === undefined) {
    words = itemText(item).toLowerCase();
    folded.set(item, words);
  }
  return words.includes(needle);
}
