import type { DoneReason, EventOf, SessionEvent } from "../event.ts";
import { faultDetails } from "../fault-words.ts";
import { itemIdOf } from "../id.ts";
import type { Item } from "../item.ts";
import { reportText, type WorkerReport } from "../worker/words.ts";

/** The items still growing, by id; the caller keeps closed ones. */
export interface Timeline {
  readonly open: Readonly<Record<string, OpenItem>>;
}

/** An open item with the numbers it covers: gapless if `count` is `last - item.seq + 1`. */
export interface OpenItem {
  readonly item: Item;
  readonly last: number;
  readonly count: number;
}

export const emptyTimeline: Timeline = { open: {} };

export interface TimelineStep {
  readonly timeline: Timeline;
  /** Complete items in their new state, in order; later ones replace earlier ones with the same id. */
  readonly changed: readonly OpenItem[];
}

/** Folds one event into transcript items. Total and pure; shared by server, CLI and page. */
export function extend(timeline: Timeline, event: SessionEvent): TimelineStep {
  switch (event.type) {
    case "message":
      return begin(
        timeline,
        closed(event, {
          id: event.itemId,
          kind: "user",
          text: event.content,
          by: event.by,
          ...(event.attachments ? { attachments: event.attachments } : {}),
        }),
      );
    case "text_delta":
    case "thinking_delta":
      return speak(timeline, event);
    case "tool_call_start":
      return begin(timeline, startTool(event));
    case "tool_call_delta":
    case "tool_call_end":
    case "tool_result":
      return work(timeline, event);
    case "task_update":
      return begin(timeline, updateTasks(timeline, event));
    case "notice":
      return begin(timeline, notice(event));
    case "error":
      // Ends no text: the turn's `done` says whether it is complete.
      return put(timeline, notice(event));
    case "signal":
    case "commits":
    case "proposals_created":
      return put(timeline, reported(event));
    case "question_prompt":
      // A person's answer separates the text before it from the text after it.
      return endSpeech(timeline, undefined);
    case "interaction_resolved":
      return settle(timeline, event);
    case "item":
      return put(timeline, { item: event.item, last: event.seq, count: event.seq - event.item.seq + 1 });
    case "done":
      return end(timeline, event);
    case "turn_changes":
      // Ends no text: the next turn may have started.
      return put(timeline, changesOf(event));
    default:
      return { timeline, changed: [] };
  }
}

type Speech = EventOf<"text_delta"> | EventOf<"thinking_delta">;

function speak(timeline: Timeline, event: Speech): TimelineStep {
  const before = timeline.open[event.itemId];
  if (!before) {
    const item: Item = {
      ...base(event),
      id: event.itemId,
      kind: event.type === "text_delta" ? "text" : "thinking",
      status: "open",
      text: event.text,
      ...(event.parentToolCallId ? { parentToolCallId: event.parentToolCallId } : {}),
    };
    return begin(timeline, { item, last: event.seq, count: event.seq - event.from + 1 });
  }
  const item = { ...before.item, text: (before.item.text ?? "") + event.text };
  return put(timeline, { item, last: event.seq, count: before.count + event.seq - event.from + 1 });
}

function startTool(event: EventOf<"tool_call_start">): OpenItem {
  const { toolCallId, toolName, kind, title, parentToolCallId } = event;
  const parent = parentToolCallId ? { parentToolCallId } : {};
  const item: Item = {
    ...base(event),
    id: itemIdOf(event),
    kind: "tool",
    status: "open",
    ...parent,
    tool: { toolCallId, toolName, kind, title, status: "running", ...parent },
  };
  return { item, last: event.seq, count: 1 };
}

/** Whether a call may run, as far as decided: a denied one may be asked about again. */
function settle(timeline: Timeline, event: EventOf<"interaction_resolved">): TimelineStep {
  const { resolution, cause } = event;
  const before = openCall(timeline, event.toolCallId);
  const tool = before?.item.tool;
  const isWithdrawn = resolution === "cancelled" || cause !== undefined;
  const status = resolution === "denied" || resolution === "expired" ? "denied" : "running";
  if (!before || !tool || isWithdrawn || tool.status === status) return { timeline, changed: [] };
  const item: Item = { ...before.item, tool: { ...tool, status } };
  return put(timeline, { item, last: event.seq, count: before.count + 1 });
}

const openCall = ({ open }: Timeline, toolCallId: string): OpenItem | undefined =>
  Object.values(open).find(({ item }) => item.tool?.toolCallId === toolCallId);

type ToolNews = EventOf<"tool_call_delta"> | EventOf<"tool_call_end"> | EventOf<"tool_result">;

function work(timeline: Timeline, event: ToolNews): TimelineStep {
  const before = openCall(timeline, event.toolCallId);
  const tool = before?.item.tool;
  if (!before || !tool) return { timeline, changed: [] };
  const news =
    event.type === "tool_call_delta"
      ? { inputText: (tool.inputText ?? "") + event.inputText }
      : event.type === "tool_call_end"
        ? { input: event.input, ...(event.title ? { title: event.title } : {}) }
        : { status: event.status, result: event.result };
  const item: Item = {
    ...before.item,
    status: event.type === "tool_result" ? "complete" : "open",
    tool: { ...tool, ...news },
  };
  return put(timeline, { item, last: event.seq, count: before.count + 1 });
}

function updateTasks(timeline: Timeline, event: EventOf<"task_update">): OpenItem {
  // One list per turn.
  const before = Object.values(timeline.open).find(
    ({ item }) => item.kind === "tasks" && item.turnId === event.turnId,
  );
  const known = before?.item.tasks ?? [];
  const task = event.task;
  const tasks =
    event.tasks ??
    (task
      ? known.some((t) => t.id === task.id)
        ? known.map((t) => (t.id === task.id ? task : t))
        : [...known, task]
      : known);
  const started = before?.item ?? { ...base(event), id: itemIdOf(event) };
  const item: Item = { ...started, kind: "tasks", status: "open", tasks };
  return { item, last: event.seq, count: (before?.count ?? 0) + 1 };
}

function end(timeline: Timeline, event: EventOf<"done">): TimelineStep {
  const status: Item["status"] = event.partial ? "partial" : "complete";
  const changed = Object.values(timeline.open).map(({ item, ...range }): OpenItem => {
    const { tool } = item;
    if (tool?.status !== "running") return { ...range, item: { ...item, status } };
    const cut = event.reason === "cancelled" ? { tool: { ...tool, status: "interrupted" as const } } : {};
    return { ...range, item: { ...item, status: "partial", ...cut } };
  });
  const words = endings[event.reason];
  // A fault was already reported, as an `error` before this.
  const ending =
    words && !event.error
      ? [
          closed(event, {
            id: itemIdOf(event),
            kind: "notice",
            text: words,
            code: event.reason.toUpperCase(),
          }),
        ]
      : [];
  return { timeline: emptyTimeline, changed: [...changed, ...ending] };
}

/** Endings a reader of the transcript should still see tomorrow. */
const endings: Partial<Record<DoneReason, string>> = {
  cancelled: "The turn was interrupted.",
  max_tokens: "The turn ended at the model's limit of tokens.",
  max_turns: "The turn ended at the agent's limit of steps.",
  refusal: "The model refused to continue.",
};

/** Starts a new item: any text its parent was speaking ends. */
function begin(timeline: Timeline, entry: OpenItem): TimelineStep {
  const { [entry.item.id]: _, ...others } = timeline.open;
  const ended = endSpeech({ open: others }, entry.item.parentToolCallId);
  const step = put(ended.timeline, entry);
  return { timeline: step.timeline, changed: [...ended.changed, ...step.changed] };
}

/** What this parent was speaking is complete. */
function endSpeech(timeline: Timeline, parent: string | undefined): TimelineStep {
  const finished = Object.values(timeline.open)
    .filter(({ item }) => item.kind === "text" || item.kind === "thinking")
    .filter(({ item }) => item.parentToolCallId === parent)
    .map((entry) => ({ ...entry, item: { ...entry.item, status: "complete" as const } }));
  const open = { ...timeline.open };
  for (const { item } of finished) delete open[item.id];
  return { timeline: { open }, changed: finished };
}

function put(timeline: Timeline, entry: OpenItem): TimelineStep {
  const { [entry.item.id]: _, ...others } = timeline.open;
  const open = entry.item.status === "open" ? { ...others, [entry.item.id]: entry } : others;
  return { timeline: { open }, changed: [entry] };
}

function base(event: SessionEvent): Pick<Item, "at" | "seq" | "turnId"> {
  return { at: event.at, seq: event.from, ...(event.turnId ? { turnId: event.turnId } : {}) };
}

function notice(event: EventOf<"notice"> | EventOf<"error">): OpenItem {
  const fault = event.type === "error" ? faultDetails(event) : undefined;
  const { message: text, code } = event;
  return closed(event, { id: itemIdOf(event), kind: "notice", text, code, ...(fault ? { fault } : {}) });
}

/** What a worker has left, as a notice: the end of its turn follows. */
const reported = (event: WorkerReport): OpenItem =>
  closed(event, {
    ...{ id: itemIdOf(event), kind: "notice" },
    ...{ text: reportText(event), code: event.type.toUpperCase() },
  });

function changesOf(event: EventOf<"turn_changes">): OpenItem {
  const { files, added, removed, reverts, partly, discarded } = event;
  const which = { ...(reverts ? { reverts } : {}), ...(partly ? { partly } : {}) };
  const changes = { files, added, removed, ...which, ...(discarded ? { discarded } : {}) };
  return closed(event, { id: itemIdOf(event), kind: "changes", changes });
}

function closed(event: SessionEvent, item: Omit<Item, "at" | "seq" | "turnId" | "status">): OpenItem {
  return { item: { ...base(event), status: "complete", ...item }, last: event.seq, count: 1 };
}
