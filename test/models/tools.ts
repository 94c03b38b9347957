// What agents call their tools, so that a script can say what is to be done and not with which agent's tool.
import type { FileWrite, Step, ToolCall } from "./script.ts";

type Input = ToolCall["input"];

/** What a request says of a tool, as far as scripts need it. */
export interface Offered {
  /** It asks a person when it is to leave its sandbox, and else nobody. */
  asksOutside?: boolean;
  /** It takes bare text, not an object. */
  isFreeform?: boolean;
}

/** The tools on offer, by name. */
export type Tools = ReadonlyMap<string, Offered>;

/** How each tool for one purpose takes what it is given. */
type Known<T> = Record<string, (given: T, tool: Offered) => Input>;

const description = "A scripted command";

/** Where an agent asks a person only about commands that want out of its sandbox, every command wants out. */
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

function own<T>(known: Known<T>, tools: Tools, given: T): ToolCall {
  for (const [name, inputOf] of Object.entries(known)) {
    const tool = tools.get(name);
    if (tool) return { name, input: inputOf(given, tool) };
  }
  throw new Error(`no tool for it among ${[...tools.keys()].join(", ")}`);
}

/** Every call that a step makes, with the agent's own tools. */
export function callsOf(step: Step, tools: Tools): ToolCall[] {
  const commands = [...(step.run === undefined ? [] : [step.run]), ...(step.runs ?? [])];
  return [
    ...commands.map((command) => own(shells, tools, command)),
    ...(step.write ? [own(writers, tools, step.write)] : []),
    ...(step.call ? [step.call] : []),
    ...(step.calls ?? []),
  ];
}
