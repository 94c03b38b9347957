import { callKind } from "./approval-kind.ts";
import { type Edit, hasFileKey, isEdit } from "./edited-paths.ts";
import { commandsIn } from "./input-keys.ts";
import type { Interaction } from "./interaction.ts";
import { programOf } from "./program.ts";

/** Some agents do not give the kind of a command, or name it by its purpose. */
export function isCommand({ toolKind, input }: Pick<Edit, "toolKind" | "input">): boolean {
  if (toolKind === "execute" || toolKind === "plan") return toolKind === "execute";
  const commands = commandsIn(input);
  const isAction = (command: unknown) => typeof command === "string" && actions.test(command);
  const isFileAction = isEdit(toolKind) && hasFileKey(input) && commands.every(isAction);
  return commands.length > 0 && !isFileAction;
}

/** What some editing tools do to a file, under the key of a command. */
const actions = /^(view|create|write|edit|insert|append|(str_)?replace|overwrite|undo_edit)$/;

/** What approving this for the session would grant, in words: a tool, or a command or program. */
export function grantWords({ scopes, toolName, toolKind: kind, input }: Interaction): string | undefined {
  if (!scopes.includes("session")) return undefined;
  const toolKind = callKind(kind);
  return isCommand({ toolKind, input }) ? programOf(input) : (toolName ?? toolKind);
}
