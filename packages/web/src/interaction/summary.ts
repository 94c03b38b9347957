import { type ApprovalKind, exactText, type Interaction, isSignalQuestion } from "@drover/core";
import { exactName } from "../format/exact-lines.ts";
import { commandLine, readInput } from "../format/tool-input.ts";

const requestPhrases: Readonly<Partial<Record<ApprovalKind, string>>> = {
  read: "wants to read",
  edit: "wants to change a file",
  delete: "wants to delete",
  move: "wants to move",
  search: "wants to search",
  execute: "wants to run a command",
  fetch: "wants to fetch from the network",
  switch_mode: "wants to switch modes",
  plan: "has a plan",
  changes: "wants to keep its changes",
};

/** The request in one sentence, without details. `name` is the agent's name for people. */
export function headingOf({ kind, toolKind, toolName }: Interaction, name: string): string {
  if (kind === "question") return `${name} has a question`;
  return `${name} ${(toolKind && requestPhrases[toolKind]) ?? `wants to use ${exactName(toolName ?? "a tool")}`}`;
}

/** The tool's name, if the heading mentions only the kind of tool: an agent may label a deletion as a read. */
export function unnamedTool({ toolKind, toolName }: Interaction): string | undefined {
  return toolKind && requestPhrases[toolKind] && toolName !== toolKind ? toolName : undefined;
}

/** The subject on one line: the command, the files or the question. */
export function subjectOf({ kind, questions, input, title, toolName, toolKind }: Interaction): string {
  if (toolKind === "changes") return oneLine(title ?? "");
  if (kind === "question") return oneLine(questions?.map(({ question }) => question).join(" · ") ?? "");
  const { command, changes, plan } = readInput(input);
  const paths = changes.map(({ path }) => path).join(", ");
  return oneLine((command && commandLine(command)) ?? (paths || plan || title || toolName || ""));
}

/** Whether a title adds to the heading and the input. Many titles are the input with a verb in front, shortened. */
export function saysMore(interaction: Interaction): boolean {
  const { title = "", toolName, toolKind, questions, input } = interaction;
  // Drover itself has made up the title.
  if (toolKind === "changes" || isSignalQuestion(interaction)) return false;
  if (title === "" || title === toolName || title.toLowerCase() === toolKind) return false;
  if (questions?.some(({ question }) => question === title)) return false;
  const { command = "", changes } = readInput(input);
  const bare = title.replaceAll("`", "").replace(/\s*(…|\.{3})$/, "");
  const candidates = [bare, bare.replace(/^[\w-]+:?\s+/, "")];
  return !candidates.some(
    (text) => commandLine(command).startsWith(text) || changes.some(({ path }) => path.endsWith(text)),
  );
}

/** Longer than any line that shows it. */
const maxSubject = 1_000;

const oneLine = (text: string) => exactText(text.slice(0, maxSubject).replace(/\s+/g, " ").trim());
