import {
  type EventOf,
  type FaultDetails,
  faultDetails,
  faultSentence,
  type Item,
  loginLines,
  reportText,
  type SessionEvent,
  type SessionStateName,
  type ToolOutcome,
  type TurnChanges,
} from "@drover/core";
import { type Styled, style } from "../terminal/styled.ts";
import type { Screen } from "./screen.ts";
import { stateName } from "./state.ts";
import { clip, oneLine } from "./text.ts";
import { actor, count, glance, lastLines, resultText } from "./words.ts";

const { cyan, dim, green, red, yellow } = style;

export interface TranscriptOptions {
  /** Whether to show people's messages; not needed if the person has just typed the only one. */
  readonly messages: boolean;
}

/** States that need no line, because other lines imply them. */
const quietStates: ReadonlySet<SessionStateName> = new Set([
  "starting",
  "running",
  "idle",
  "waiting_for_input",
]);

/**
 * Shows a session's events as they arrive. An item may come as deltas, as a whole, or as a whole after some of its
 * deltas (a replay joins them), so the length printed so far is kept and no text is printed twice.
 */
export class Transcript {
  private readonly screen: Screen;
  private readonly options: TranscriptOptions;
  private readonly printed = new Map<string, number>();
  private readonly tools = new Map<string, string>();
  private readonly shownTasks = new Map<string, string>();
  private speaking: string | undefined;
  private state: SessionStateName | undefined;

  constructor(screen: Screen, options: TranscriptOptions) {
    this.screen = screen;
    this.options = options;
  }

  event(event: SessionEvent): void {
    switch (event.type) {
      case "text_delta":
        this.text(event);
        break;
      case "thinking_delta":
        this.screen.busy("thinking");
        break;
      case "item":
        this.item(event.item);
        break;
      case "message":
        this.message(event.content, event.by);
        break;
      case "tool_call_start":
        this.toolStarted(event.toolCallId, event.title, event.parentToolCallId);
        break;
      case "tool_result":
        this.toolEnded(event.toolCallId, event.status, event.result);
        break;
      case "task_update":
        this.tasks(event.tasks ?? (event.task ? [event.task] : []));
        break;
      case "session_status":
        this.status(event);
        break;
      case "interaction_resolved":
        this.resolved(event);
        break;
      case "notice":
        this.line(dim(`· ${oneLine(event.message)}`));
        break;
      case "signal":
      case "commits":
      case "proposals_created":
        this.line(dim(`· ${oneLine(reportText(event))}`));
        break;
      case "error":
        this.line(red(`✗ ${oneLine(faultSentence(event.message, event))}`));
        this.details(event);
        if (event.code === "AGENT_MISSING") this.line("`drover agents` shows how to install it.");
        break;
      case "turn_changes":
        this.changes(event);
        break;
      case "done":
        this.endText();
        this.screen.busy("");
        this.printed.clear();
        this.tools.clear();
        this.shownTasks.clear();
        break;
    }
  }

  /** A whole item from a snapshot or a page of the log. */
  item(item: Item): void {
    switch (item.kind) {
      case "user":
        this.message(item.text ?? "", item.by ?? "");
        break;
      case "text":
        this.wholeText(item);
        break;
      case "tool":
        if (item.tool) this.tool(item.tool);
        break;
      case "tasks":
        this.tasks(item.tasks ?? []);
        break;
      case "notice":
        this.line(dim(`· ${oneLine(faultSentence(item.text ?? "", item.fault ?? {}))}`));
        this.details(item.fault ?? {});
        break;
      case "changes":
        if (item.changes) this.changes(item.changes);
        break;
    }
  }

  private changes({ files, added, removed, reverts, discarded }: TurnChanges): void {
    const what = discarded ? "discarded: " : reverts === undefined ? "" : "undone: ";
    this.line(dim(`· ${what}${count(files, "file")} +${added} -${removed}`));
  }

  endText(): void {
    this.speaking = undefined;
    this.screen.endText();
  }

  private line(line: Styled): void {
    this.endText();
    this.screen.line(line);
  }

  /** Text of sub-agents is not shown. */
  private text({ itemId, text, parentToolCallId }: EventOf<"text_delta">): void {
    if (parentToolCallId) return;
    this.speak(itemId, text);
    this.printed.set(itemId, (this.printed.get(itemId) ?? 0) + text.length);
  }

  private wholeText({ id, text = "", parentToolCallId, status }: Item): void {
    if (parentToolCallId) return;
    const unprinted = text.slice(this.printed.get(id) ?? 0);
    if (unprinted) this.speak(id, unprinted);
    this.printed.set(id, text.length);
    if (status !== "open" && this.speaking === id) this.endText();
  }

  private speak(itemId: string, text: string): void {
    if (this.speaking !== itemId) this.screen.endText();
    this.speaking = itemId;
    this.screen.text(text);
    this.screen.busy("");
  }

  private message(content: string, by: string): void {
    if (!this.options.messages) return;
    const [first = "", ...more] = content.split(/\r?\n/);
    this.line([cyan(`› ${first}`), by ? dim(`  ${oneLine(by)}`) : ""]);
    for (const line of more) this.screen.line(cyan(`  ${line}`));
  }

  private tool({ toolCallId, title, parentToolCallId, status, result }: NonNullable<Item["tool"]>): void {
    this.toolStarted(toolCallId, title, parentToolCallId);
    if (status !== "running") this.toolEnded(toolCallId, status, result);
  }

  private toolStarted(toolCallId: string, title: string, parent: string | undefined): void {
    if (this.tools.has(toolCallId)) return;
    const indent = parent ? `${this.tools.get(parent) ?? ""}  ` : "";
    this.tools.set(toolCallId, indent);
    this.line([indent, cyan("▸"), ` ${clip(title, this.screen.width - indent.length - 4)}`]);
    this.screen.busy("working");
  }

  private toolEnded(toolCallId: string, status: ToolOutcome, result: unknown): void {
    const indent = `${this.tools.get(toolCallId) ?? ""}  `;
    const said = glance(resultText(result), this.screen.width - indent.length - 12);
    const why = said && dim(` ${said}`);
    if (status === "denied") this.line([indent, yellow(deniedWords(said))]);
    else if (status === "interrupted") this.line([indent, yellow("Interrupted"), why]);
    else if (status === "error") this.line([indent, red("Failed"), why]);
    else if (said) this.line([indent, dim(said)]);
  }

  /** How to log in, and the end of the error output of the agent or of a setup command. */
  private details(fault: FaultDetails): void {
    const { authMethods, tail, stderrTail = tail } = faultDetails(fault) ?? {};
    for (const line of loginLines(authMethods)) this.line(`  To log in: ${oneLine(line)}`);
    for (const line of lastLines(stderrTail)) this.line(dim(`  ${clip(line, this.screen.width - 2)}`));
  }

  /** Agents send the whole list every time; only changed tasks are shown. */
  private tasks(tasks: NonNullable<Item["tasks"]>): void {
    const marks = { pending: "☐", in_progress: "▶", completed: "☑", cancelled: "☒" };
    for (const { id, status, title } of tasks) {
      const line = `  ${marks[status]} ${oneLine(title)}`;
      if (this.shownTasks.get(id) === line) continue;
      this.shownTasks.set(id, line);
      this.line(line);
    }
  }

  /** Agents repeat their state when they report usage. */
  private status({ state, reason }: EventOf<"session_status">): void {
    if (state === this.state) return;
    this.state = state;
    if (state === "starting" || state === "running") this.screen.busy(state);
    if (quietStates.has(state)) return;
    this.line([yellow(`· ${stateName(state)}`), reason ? dim(` ${oneLine(reason.message)}`) : ""]);
  }

  private resolved({ kind, resolution, by, reason, scope }: EventOf<"interaction_resolved">): void {
    const good = resolution === "approved" || resolution === "answered";
    const extent = scope && scope !== "once" ? ` for the ${scope}` : "";
    const what = kind === "question" && !good ? `question ${resolution}` : resolution;
    const why = reason ? `: ${oneLine(reason)}` : "";
    this.line(["  ", (good ? green : yellow)(`${what}${extent}`), dim(` by ${oneLine(actor(by))}${why}`)]);
  }
}

/** Removes what agents put before the reason: "Denied: User denied tool execution: not today". */
function deniedWords(result: string): string {
  const reason = result.replace(/^(?:denied:? *)?(?:user denied tool execution:? *)?/i, "");
  return reason === "" ? "Denied" : `Denied: ${reason}`;
}
