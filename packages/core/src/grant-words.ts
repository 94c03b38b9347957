import { type Edit, entriesIn, hasFileKey, isEdit } from "./edited-paths.ts";
import type { Interaction } from "./interaction.ts";
import { programOf } from "./program.ts";

/** Some agents do not give the kind of a command, or name it by its purpose. */
export function isCommand({ toolKind, input }: Pick<Edit, "toolKind" | "input">): boolean {
  if (toolKind === "execute" || toolKind === "plan") return toolKind === "execute";
  const commands = [...entriesIn(input)].flatMap(([key, value]) => (commandKeys.test(key) ? [value] : []));
  const isAction = (command: unknown) => typeof command === "string" && actions.test(command);
  const isFileAction = isEdit(toolKind) && hasFileKey(input) && commands.every(isAction);
  return commands.length > 0 && !isFileAction;
}

/** Keys agents use for a command. */
const commandKeys = /^(commands?|cmd|(cmd|command)_?line|argv|script|shell|bash|exec|run)$/i;

/** What some editing tools do to a file, under the key of a command. */
const actions = /^(view|create|write|edit|insert|append|(str_)?replace|overwrite|delete|rename|undo_edit)$/;

/** What approving this for the session would grant, in words: a tool, or a command or program. */
export function grantWords({ scopes, toolName, toolKind = "other", input }: Interaction): string | undefined {
  if (!scopes.includes("session")) return undefined;
  return isCommand({ toolKind, input }) ? programOf(input) : (toolName ?? toolKind);
}
