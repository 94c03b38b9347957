// What a scripted model does. The script rides in the prompt, one line per round trip, so that it reaches the model
// through the agent under test and any number of sessions can run at once:
//
//   @model {"say":"I will write it down.","run":"echo x >> notes"}
//   @model {"say":"Done."}

export interface Step {
  think?: string;
  say?: string;
  /** A command for the agent's own shell tool, whatever that is called. */
  run?: string;
  /** Several of them in one reply. */
  runs?: string[];
  /** A new file, through the agent's own tool for that. */
  write?: FileWrite;
  /** A call of exactly this tool. */
  call?: ToolCall;
  /** Several calls in one reply. */
  calls?: ToolCall[];
  /** An error answer instead of a reply. */
  fail?: Failure;
  /** The connection is cut: instead of a reply, or in the middle of one. */
  drop?: true | "midway";
  /** The reply stops in the middle and never goes on. */
  hang?: true;
  /** Milliseconds between the parts of a streamed reply. */
  pace?: number;
}

export interface FileWrite {
  path: string;
  text: string;
}

export interface Failure {
  status: number;
  message?: string;
  /** The vendor's own name for it, where the status alone does not tell. */
  type?: string;
  /** What else stands in the vendor's error. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
}

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** One entry of the conversation as the agent sends it: a reply may take several entries, a tool's result is one. */
export interface Entry {
  role: "user" | "assistant" | "tool";
  text: string;
}

const line = /^@model (\{.*\})$/gm;

/** A prompt that makes a scripted model take these steps. */
export function scriptedPrompt(...steps: Step[]): string {
  return steps.map((step) => `@model ${JSON.stringify(step)}`).join("\n");
}

const message = /^\[MESSAGE(?: [0-9a-f]{6})?\]\n/m;

/** The script of the message, where Drover tells what was said before, too. */
function stepsIn(text: string): Step[] {
  return [...(text.split(message).at(-1) ?? "").matchAll(line)].map(
    ([, json = "{}"]) => JSON.parse(json) as Step,
  );
}

/** Replies since an entry: neighbouring assistant entries (words, then a tool call) are one reply. */
function repliesIn(entries: readonly Entry[]): number {
  return entries.filter(({ role }, index) => role === "assistant" && entries[index - 1]?.role !== "assistant")
    .length;
}

/** What comes next in a conversation: the newest script in it decides, by the number of replies given since. */
export function nextStep(conversation: readonly Entry[]): Step {
  const at = conversation.findLastIndex(({ role, text }) => role === "user" && stepsIn(text).length > 0);
  const entry = conversation[at];
  if (!entry) return { say: "There is no script in this conversation." };
  return stepsIn(entry.text)[repliesIn(conversation.slice(at + 1))] ?? { say: "The script is over." };
}
