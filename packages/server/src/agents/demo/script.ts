/** One thing the demo agent does. A prompt is a list of them, one per line. */
export type Instruction =
  | { readonly do: "tour" }
  | { readonly do: "say"; readonly text: string }
  | { readonly do: "stream"; readonly words: number }
  | { readonly do: "slow"; readonly ms: number }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "write"; readonly path: string; readonly text: string }
  | { readonly do: "edit"; readonly path: string; readonly from: string; readonly to: string }
  | { readonly do: "run"; readonly command: string }
  /** Reports how a worker's run ended; the content of its signal file. */
  | { readonly do: "signal"; readonly content: string }
  /** Leaves a proposal in a worker's output. */
  | { readonly do: "propose"; readonly kind: string; readonly title: string }
  | { readonly do: "ask"; readonly question: string; readonly options: readonly string[] }
  | { readonly do: "todo"; readonly tasks: readonly string[] }
  /** A plan with the tasks before `current` done and that one in progress; only the tour uses it, step by step. */
  | { readonly do: "plan"; readonly tasks: readonly string[]; readonly current: number }
  | { readonly do: "think"; readonly text: string }
  | { readonly do: "fail"; readonly message: string }
  | { readonly do: "limit"; readonly seconds: number }
  | { readonly do: "crash"; readonly code: number }
  | { readonly do: "hang" };

/** What the demo agent offers as commands: instructions that begin with a slash. */
export const commands = [
  { name: "tour", description: "Show a little of everything" },
  { name: "help", description: "List what the demo agent can do" },
  { name: "stream", description: "Write some words, one at a time", input: { hint: "number of words" } },
] as const;

type Parser = (argument: string) => Instruction | undefined;

const help = `Every line you send me is one instruction; I repeat any other line.

| line | what I do |
|---|---|
| \`tour\` | show a little of everything |
| \`stream 200\` | write two hundred words |
| \`read PATH\` | read a file or directory |
| \`write PATH TEXT\` | write a file, once you allow it; the text may be a fenced block below |
| \`run COMMAND\` | run a command, once you allow it |
| \`ask QUESTION \\| A \\| B\` | ask you, and repeat your answer |
| \`todo A, B, C\` | make a plan |
| \`signal done RESULT\` | as a worker: report that the task is done |
| \`propose phase TITLE\` | as a worker: propose a phase, or a task, page or decision |
| \`pause\` | keep the lines below for your next message, whatever it says |
`;

/** A parser returns undefined for an invalid argument: the line is then not an instruction, and is echoed. */
const parsers = new Map<string, Parser>([
  ["tour", (argument) => (argument === "" ? { do: "tour" } : undefined)],
  ["/tour", (argument) => (argument === "" ? { do: "tour" } : undefined)],
  ["/help", (argument) => (argument === "" ? { do: "say", text: help } : undefined)],
  ["/stream", numeric((words) => ({ do: "stream", words }))],
  ["say", (text) => (text === "" ? undefined : { do: "say", text })],
  ["stream", numeric((words) => ({ do: "stream", words }))],
  ["slow", numeric((ms) => ({ do: "slow", ms }))],
  ["read", (path) => (path === "" ? undefined : { do: "read", path })],
  ["write", parseWrite],
  ["edit", parseEdit],
  ["commit", (message) => (message === "" ? undefined : { do: "run", command: commitCommand(message) })],
  ["run", (command) => (command === "" ? undefined : { do: "run", command })],
  ["signal", parseSignal],
  ["propose", parseProposal],
  ["ask", parseAsk],
  ["todo", parseTodo],
  ["think", (text) => (text === "" ? undefined : { do: "think", text })],
  ["fail", (message) => (message === "" ? undefined : { do: "fail", message })],
  ["limit", numeric((seconds) => ({ do: "limit", seconds }))],
  ["crash", parseCrash],
  ["hang", (argument) => (argument === "" ? { do: "hang" } : undefined)],
]);

/** The instructions of a prompt, in order. Any other line is said as it is, so that Markdown survives. */
export function parseScript(prompt: string): Instruction[] {
  const lines = prompt.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const script: Instruction[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const block = parseBlock(line, lines.slice(at + 1));
    script.push(block?.instruction ?? parseLine(line) ?? { do: "say", text: line });
    at += 1 + (block?.length ?? 0);
  }
  return script;
}

/** `write PATH` with the text below it, in a fenced block. */
function parseBlock(line: string, below: readonly string[]) {
  const [, path] = /^\s*write\s+(\S+)\s*$/.exec(line) ?? [];
  if (path === undefined || !below[0]?.startsWith(fence)) return undefined;
  const end = below.indexOf(fence, 1);
  if (end < 0) return undefined;
  const text = below.slice(1, end).map((each) => `${each}\n`);
  return { instruction: { do: "write", path, text: text.join("") } as const, length: end + 1 };
}

const fence = "```";

function parseLine(line: string): Instruction | undefined {
  const trimmed = line.trim();
  const end = trimmed.search(/\s/);
  const word = end === -1 ? trimmed : trimmed.slice(0, end);
  const argument = end === -1 ? "" : trimmed.slice(end).trimStart();
  return parsers.get(word)?.(argument);
}

/** At most nine digits: every such number fits a timer and a count. */
function numeric(build: (value: number) => Instruction): Parser {
  return (argument) => (/^\d{1,9}$/.test(argument) ? build(Number(argument)) : undefined);
}

function parseWrite(argument: string): Instruction | undefined {
  const [, path, text] = /^(\S+)\s+(.+)$/s.exec(argument) ?? [];
  return path === undefined || text === undefined ? undefined : { do: "write", path, text };
}

/** `PATH s/OLD/NEW/`, with any character in place of the slashes. */
function parseEdit(argument: string): Instruction | undefined {
  const [, path, , from, to] = /^(\S+)\s+s(\S)(.+)\2(.*)\2$/s.exec(argument) ?? [];
  return path === undefined || from === undefined || to === undefined
    ? undefined
    : { do: "edit", path, from, to };
}

/** Commits as itself: a machine may have no identity for git. */
function commitCommand(message: string): string {
  const quoted = `'${message.replaceAll("'", "'\\''")}'`;
  return `git add -A && git -c user.name=Demo -c user.email=demo@localhost commit -m ${quoted}`;
}

function parseAsk(argument: string): Instruction | undefined {
  const [question, ...options] = listOf(argument, "|");
  return question === undefined ? undefined : { do: "ask", question, options };
}

/** `done RESULT`, `error TEXT`, or `questions` with a question as for `ask`, or with a list of them as JSON. */
function parseSignal(argument: string): Instruction | undefined {
  const [, status, text = ""] = /^(done|error|questions)(?:\s+(.+))?$/s.exec(argument) ?? [];
  if (status === "done") return signal(text === "" ? { status } : { status, result: text });
  if (text === "") return undefined;
  if (status === "error") return signal({ status, error: text });
  if (status !== "questions") return undefined;
  if (text.startsWith("[")) {
    const questions = jsonIn(text);
    return questions === undefined ? undefined : signal({ status, questions });
  }
  const [question, ...options] = listOf(text, "|");
  return question === undefined ? undefined : signal({ status, questions: [{ question, options }] });
}

const signal = (content: object): Instruction => ({ do: "signal", content: JSON.stringify(content) });

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseProposal(argument: string): Instruction | undefined {
  const [, kind, title] = /^(phase|task|page|decision)\s+(.+)$/s.exec(argument) ?? [];
  return kind === undefined || title === undefined ? undefined : { do: "propose", kind, title };
}

function parseTodo(argument: string): Instruction | undefined {
  const tasks = listOf(argument, ",");
  return tasks.length === 0 ? undefined : { do: "todo", tasks };
}

function parseCrash(argument: string): Instruction | undefined {
  const code = argument === "" ? 1 : Number(argument);
  return /^\d*$/.test(argument) && code <= 255 ? { do: "crash", code } : undefined;
}

function listOf(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
