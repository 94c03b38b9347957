import { exactText, type Interaction, type ToolKind } from "@drover/core";
import { exactName } from "../format/exact-lines.ts";
import { commandLine, readInput } from "../format/tool-input.ts";

const requestPhrases: Readonly<Partial<Record<ToolKind, string>>> = {
  read: "wants to read",
  edit: "wants to change a file",
  delete: "wants to delete",
  move: "wants to move",
  search: "wants to search",
  execute: "wants to run a command",
  fetch: "wants to fetch from the network",
  switch_mode: "wants to change its mode",
  plan: "has a plan",
};

/** Who wants what, in one sentence without the details. */
export function headingOf({ agent, kind, toolKind, toolName }: Interaction): string {
  if (kind === "question") return `${agent} asks`;
  return `${agent} ${(toolKind && requestPhrases[toolKind]) ?? `wants to use ${exactName(toolName ?? "a tool")}`}`;
}

/** The tool's name, where the heading goes by the kind of tool alone: an agent may call a deletion a read. */
export function unnamedTool({ toolKind, toolName }: Interaction): string | undefined {
  return toolKind && requestPhrases[toolKind] && toolName !== toolKind ? toolName : undefined;
}

/** What it is about, on one line: the command, the files, the question. */
export function subjectOf({ kind, questions, input, title, toolName }: Interaction): string {
  if (kind === "question") return oneLine(questions?.map(({ question }) => question).join(" · ") ?? "");
  const { command, changes, plan } = readInput(input);
  const paths = changes.map(({ path }) => path).join(", ");
  return oneLine((command && commandLine(command)) ?? (paths || plan || title || toolName || ""));
}

/** Whether a title tells anything that the heading and the input below it do not: many are the input, with a verb, cut to a length. */
export function saysMore({ title = "", toolName, toolKind, questions, input }: Interaction): boolean {
  if (title === "" || title === toolName || title.toLowerCase() === toolKind) return false;
  if (questions?.some(({ question }) => question === title)) return false;
  const { command = "", changes } = readInput(input);
  const bare = title.replaceAll("`", "").replace(/\s*(…|\.{3})$/, "");
  const said = [bare, bare.replace(/^[\w-]+:?\s+/, "")];
  return !said.some(
    (words) => commandLine(command).startsWith(words) || changes.some(({ path }) => path.endsWith(words)),
  );
}

/** No line shows more of it. */
const maxSubject = 1_000;

const oneLine = (text: string) => exactText(text.slice(0, maxSubject).replace(/\s+/g, " ").trim());
