// The names of the agents' tools, so that a script can name an action instead of an agent's tool.
import type { FileWrite, Step, ToolCall } from "./script.ts";

type Input = ToolCall["input"];

/** The parts of a tool's declaration that scripts need. */
export interface Offered {
  /** It only asks a person about commands that leave its sandbox. */
  asksOutside?: boolean;
  /** It takes plain text, not an object. */
  isFreeform?: boolean;
}

/** The offered tools, by name. */
export type Tools = ReadonlyMap<string, Offered>;

/** How each tool for one purpose takes its input. */
type Known<T> = Record<string, (action: T, tool: Offered) => Input>;

const description = "A scripted command";

/** If an agent only asks about commands that leave its sandbox, every command requests that. */
const escalated = ({ asksOutside }: Offered): Input =>
  asksOutside ? { sandbox_permissions: "require_escalated", justification: description } : {};

const shells: Known<string> = {
  Bash: (command) => ({ command, description }),
  bash: (command) => ({ command, description }),
  run_shell_command: (command) => ({ command, description }),
  exec_command: (cmd, tool) => ({ cmd, ...escalated(tool) }),
  execute_bash: (command) => ({ command }),
  run_terminal_command: (command) => ({ command, description }),
  Execute: (command) => ({
    ...{ command, summary: "Run a scripted command" },
    ...{ riskLevel: "medium", riskLevelReason: "It is scripted and writes a file." },
  }),
  shell_command: (command, tool) => ({ command, ...escalated(tool) }),
};

const added = (text: string) => text.split("\n").map((line) => `+${line}`);
const patch = ({ path, text }: FileWrite) =>
  ["*** Begin Patch", `*** Add File: ${path}`, ...added(text), "*** End Patch", ""].join("\n");

const writers: Known<FileWrite> = {
  Write: ({ path, text }) => ({ file_path: path, content: text }),
  write: ({ path, text }) => ({ filePath: path, content: text }),
  write_file: ({ path, text }) => ({ file_path: path, content: text }),
  apply_patch: (file) => ({ input: patch(file) }),
};

function own<T>(known: Known<T>, tools: Tools, action: T): ToolCall {
  for (const [name, inputOf] of Object.entries(known)) {
    const tool = tools.get(name);
    if (tool) return { name, input: inputOf(action, tool) };
  }
  throw new Error(`no suitable tool among ${[...tools.keys()].join(", ")}`);
}

/** Every tool call of a step, with the agent's own tools. */
export function callsOf(step: Step, tools: Tools): ToolCall[] {
  const commands = [...(step.run === undefined ? [] : [step.run]), ...(step.runs ?? [])];
  return [
    ...commands.map((command) => own(shells, tools, command)),
    ...(step.write ? [own(writers, tools, step.write)] : []),
    ...(step.call ? [step.call] : []),
    ...(step.calls ?? []),
  ];
}
