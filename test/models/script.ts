// What a scripted model does. The script is part of the prompt, one line per round trip, so that it reaches the model
// through the agent under test and any number of sessions can run at once:
//
//   @model {"say":"I will write it down.","run":"echo x >> notes"}
//   @model {"say":"Done."}

export interface Step {
  think?: string;
  say?: string;
  /** A command for the agent's own shell tool, whatever its name. */
  run?: string;
  /** Several commands in one reply. */
  runs?: string[];
  /** A new file, written with the agent's own tool. */
  write?: FileWrite;
  /** A call of exactly this tool. */
  call?: ToolCall;
  /** Several calls in one reply. */
  calls?: ToolCall[];
  /** An error response instead of a reply. */
  fail?: Failure;
  /** Drops the connection: instead of a reply, or in the middle of one. */
  drop?: true | "midway";
  /** The reply stops in the middle and never continues. */
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
  /** The vendor's name for the error, if the status is ambiguous. */
  type?: string;
  /** Further fields of the vendor's error. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
}

export interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

/** One entry of the conversation as the agent sends it: a reply may have several entries, a tool result is one. */
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

/** The script of the message itself; Drover may have put an earlier transcript before it. */
function stepsIn(text: string): Step[] {
  return [...(text.split(message).at(-1) ?? "").matchAll(line)].map(
    ([, json = "{}"]) => JSON.parse(json) as Step,
  );
}

/** Counts replies; adjacent assistant entries (text, then a tool call) are one reply. */
function repliesIn(entries: readonly Entry[]): number {
  return entries.filter(({ role }, index) => role === "assistant" && entries[index - 1]?.role !== "assistant")
    .length;
}

/** The next step of a conversation: the newest script decides, by the number of replies since then. */
export function nextStep(conversation: readonly Entry[]): Step {
  const at = conversation.findLastIndex(({ role, text }) => role === "user" && stepsIn(text).length > 0);
  const entry = conversation[at];
  if (!entry) return { say: "This conversation has no script." };
  return stepsIn(entry.text)[repliesIn(conversation.slice(at + 1))] ?? { say: "The script has ended." };
}
