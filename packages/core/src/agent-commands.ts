import { z } from "zod";
import { exactText } from "./exact-text.ts";

/** A command of the agent's own: sent as a message that starts with `/NAME`. */
export const agentCommandSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** What to write after the name. */
  hint: z.string().optional(),
});
export type AgentCommand = z.infer<typeof agentCommandSchema>;

const limits = { count: 300, name: 100, words: 300 } as const;

/** The commands people can be shown and can type; every other one is left out. */
export function usableCommands(commands: readonly AgentCommand[]): AgentCommand[] {
  const byName = new Map<string, AgentCommand>();
  for (const { name, description, hint } of commands) {
    if (byName.size === limits.count) break;
    const typed = name.replace(/^\//, "");
    if (typed === "" || typed.length > limits.name || /\s/.test(typed) || exactText(typed) !== typed)
      continue;
    byName.set(typed, { name: typed, ...lineOf("description", description), ...lineOf("hint", hint) });
  }
  return [...byName.values()];
}

function lineOf<K extends string>(key: K, words: string | undefined): { [Key in K]?: string } {
  const line = exactText((words ?? "").slice(0, limits.words * 4).replace(/\s+/g, " ")).trim();
  if (line === "") return {};
  const short = line.length > limits.words ? `${line.slice(0, limits.words - 1).toWellFormed()}…` : line;
  return { [key]: short } as { [Key in K]?: string };
}
