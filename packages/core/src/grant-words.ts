import { type Edit, isEdit } from "./edited-paths.ts";
import type { Interaction } from "./interaction.ts";
import { commandPaths, programOf } from "./program.ts";

/** Some agents do not say of what kind a command is, or call it by what it is for. */
export const isCommand = ({ toolKind, input }: Pick<Edit, "toolKind" | "input">): boolean =>
  toolKind === "execute" || (!isEdit(toolKind) && toolKind !== "plan" && commandPaths(input).length > 0);

/** What approving this for the session would stand for, as people read it: a tool, or a command or program. */
export function grantWords({ scopes, toolName, toolKind = "other", input }: Interaction): string | undefined {
  if (!scopes.includes("session")) return undefined;
  return isCommand({ toolKind, input }) ? programOf(input) : (toolName ?? toolKind);
}
