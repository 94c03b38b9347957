import { resolve } from "node:path";
import type { ToolCallContent, ToolCallLocation, ToolKind } from "@agentclientprotocol/sdk";
import { openActionLog } from "./action-log.ts";
import { type Place, Refused } from "./beneath.ts";
import { runCommand } from "./command.ts";
import { type Excerpt, look, readBeginning, writeWhole } from "./files.ts";
import { askPermission, type StandingVerdicts } from "./permission.ts";
import { clip, messageOf } from "./text.ts";
import { type Turn, textContent } from "./turn.ts";

const titleMax = 200;

/** Counted per process: a restarted agent reuses the same ids, like real agents do. */
let calls = 0;

interface Tool {
  readonly name: "read" | "write" | "edit" | "run";
  readonly kind: ToolKind;
  /** What the title shows after the name. */
  readonly subject: string;
  readonly input: Record<string, string>;
  readonly locations?: ToolCallLocation[];
  /** What is shown before it runs. */
  readonly preview?: ToolCallContent[];
}

interface ToolOutcome {
  readonly ok: boolean;
  readonly content: ToolCallContent[];
  readonly output?: unknown;
}

interface OpenCall {
  readonly turn: Turn;
  readonly toolCallId: string;
}

export interface ToolContext {
  readonly turn: Turn;
  readonly standing: StandingVerdicts;
}

export async function readTool(path: string, { turn }: ToolContext): Promise<void> {
  const absolute = resolve(turn.cwd, path);
  const tool: Tool = {
    name: "read",
    kind: "read",
    subject: path,
    input: { path },
    locations: [{ path: absolute }],
  };
  const toolCallId = await show(tool, turn);
  await perform({ turn, toolCallId }, async () => {
    const excerpt = look({ cwd: turn.cwd, path });
    return { ok: true, content: textContent(shown(excerpt)) };
  });
}

export function writeTool(path: string, text: string, context: ToolContext): Promise<void> {
  return change({ name: "write", path, input: { path, text } }, context, () => text);
}

/** Replaces the first place where a file has this text. */
export function editTool(
  { path, from, to }: { path: string; from: string; to: string },
  context: ToolContext,
): Promise<void> {
  return change({ name: "edit", path, input: { path, oldText: from, newText: to } }, context, (old) => {
    const at = old?.truncated ? -1 : (old?.text.indexOf(from) ?? -1);
    if (!old || at < 0) throw new Refused(`${path} does not contain ${JSON.stringify(from)}`);
    return `${old.text.slice(0, at)}${to}${old.text.slice(at + from.length)}`;
  });
}

interface Change {
  readonly name: "write" | "edit";
  readonly path: string;
  readonly input: Record<string, string>;
}

/** Shows what a file would become, asks, and writes it. */
async function change(
  { name, path, input }: Change,
  context: ToolContext,
  become: (old: Excerpt | undefined) => string,
): Promise<void> {
  const { turn } = context;
  const absolute = resolve(turn.cwd, path);
  const tool: Tool = { name, kind: "edit", subject: path, input, locations: [{ path: absolute }] };
  const place = { cwd: turn.cwd, path };
  const preview = changeOf(place, { path: absolute, become });
  if (preview instanceof Refused) {
    const toolCallId = await show(tool, turn);
    await fail({ turn, toolCallId }, preview.message);
    return;
  }
  await performIfAllowed({ ...tool, preview: preview.content }, context, async () => {
    using log = openActionLog(turn.cwd);
    const { text, content } = preview;
    writeWhole(place, text);
    log.record(`${name} ${path} ${text}`);
    return { ok: true, content };
  });
}

export async function runTool(command: string, context: ToolContext): Promise<void> {
  const { turn } = context;
  const tool: Tool = { name: "run", kind: "execute", subject: command, input: { command } };
  await performIfAllowed(tool, context, async () => {
    using log = openActionLog(turn.cwd);
    const { output, truncated, exitCode } = await runCommand(command, {
      cwd: turn.cwd,
      signal: turn.signal,
      onStarted: () => log.record(`run ${command}`),
    });
    const text = shown({ text: output, truncated });
    const separator = text === "" || text.endsWith("\n") ? "" : "\n";
    return {
      ok: exitCode === 0,
      content: textContent(`${text}${separator}Exit code: ${exitCode}`),
      output: { output, exitCode },
    };
  });
}

async function performIfAllowed(
  tool: Tool,
  { turn, standing }: ToolContext,
  action: () => Promise<ToolOutcome>,
): Promise<void> {
  const toolCallId = await show(tool, turn);
  const call = { toolCallId, ...description(tool), status: "pending" as const };
  const verdict = await askPermission({ turn, toolName: tool.name, call, standing });
  if (verdict.allowed) return perform({ turn, toolCallId }, action);
  const because = verdict.reason === undefined ? "" : `: ${verdict.reason}`;
  await fail({ turn, toolCallId }, `Denied${because}`);
  await turn.say(`\`${tool.name}\` was denied${because}\n`);
}

/** Runs an open call and closes it with the outcome. An action that throws has failed, unless cancelled. */
async function perform({ turn, toolCallId }: OpenCall, action: () => Promise<ToolOutcome>): Promise<void> {
  await turn.updateCall({ toolCallId, status: "in_progress" });
  let outcome: ToolOutcome;
  try {
    outcome = await action();
  } catch (error) {
    turn.signal.throwIfAborted();
    outcome = { ok: false, content: textContent(messageOf(error)) };
  }
  const { ok, content, output } = outcome;
  await turn.updateCall({
    toolCallId,
    status: ok ? "completed" : "failed",
    content,
    ...(output === undefined ? {} : { rawOutput: output }),
  });
}

async function show(tool: Tool, turn: Turn): Promise<string> {
  calls += 1;
  const toolCallId = `call_${calls}`;
  await turn.openCall({ toolCallId, ...description(tool), status: "pending" });
  return toolCallId;
}

async function fail({ turn, toolCallId }: OpenCall, text: string): Promise<void> {
  await turn.updateCall({ toolCallId, status: "failed", content: textContent(text) });
}

function description({ name, kind, subject, input, locations, preview }: Tool) {
  return {
    title: clip(`${name}: ${subject}`, titleMax),
    name,
    kind,
    rawInput: input,
    ...(locations ? { locations } : {}),
    ...(preview ? { content: preview } : {}),
  };
}

function shown({ text, truncated }: Excerpt): string {
  return truncated ? `${text}\n… (truncated)` : text;
}

interface Preview {
  readonly text: string;
  /** The diff; for a file too large to compare, a sentence. */
  readonly content: ToolCallContent[];
}

/** What a file would become, or why it cannot be written. */
function changeOf(
  place: Place,
  { path, become }: { path: string; become: (old: Excerpt | undefined) => string },
): Preview | Refused {
  const old = beginningOf(place);
  if (old instanceof Refused) return old;
  try {
    const text = become(old);
    const content: ToolCallContent[] = old?.truncated
      ? textContent(`Replaces ${path}, which is too large to compare`)
      : [{ type: "diff", path, oldText: old?.text ?? null, newText: text }];
    return { text, content };
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
}

function beginningOf(place: Place): Excerpt | Refused | undefined {
  try {
    return readBeginning(place);
  } catch (error) {
    return error instanceof Refused ? error : undefined;
  }
}
