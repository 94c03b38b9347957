import { type Edit, hasFileKey, isEdit, objectsIn } from "./edited-paths.ts";
import type { Interaction } from "./interaction.ts";
import { programOf } from "./program.ts";

/** Some agents do not give the kind of a command, or name it by its purpose. */
export function isCommand({ toolKind, input }: Pick<Edit, "toolKind" | "input">): boolean {
  if (toolKind === "execute" || toolKind === "plan") return toolKind === "execute";
  const namesCommand = [...objectsIn(input)].some((keys) => keys.some((key) => commandKeys.test(key)));
  // Some editing tools call their action on a file a command, such as `create`.
  return namesCommand && !(isEdit(toolKind) && hasFileKey(input));
}

/** Keys agents use for a command. */
const commandKeys = /^(commands?|cmd|argv|script)$/i;

/** What approving this for the session would grant, in words: a tool, or a command or program. */
export function grantWords({ scopes, toolName, toolKind = "other", input }: Interaction): string | undefined {
  if (!scopes.includes("session")) return undefined;
  return isCommand({ toolKind, input }) ? programOf(input) : (toolName ?? toolKind);
}
