import {
  type Attempt,
  type Command,
  type Connection,
  type ContextEntry,
  type Decision,
  type DecisionContext,
  decide,
  type EventBody,
  isSameAttempt,
  type Receipt,
  type Rejection,
  type Result,
  type SessionState,
} from "@drover/core";
import type { Intent, Receipted, SessionRuntime } from "../../ports.ts";
import { withoutSecrets } from "../accounts/own-words.ts";
import { untilStored } from "../background.ts";
import type { EngineDeps } from "../deps.ts";
import { settlePending } from "../turn/pending-answers.ts";
import { decisionContext } from "./decision-context.ts";
import type { Change, Committed, Journal } from "./journal.ts";
import { Mailbox } from "./mailbox.ts";

interface SessionLogParts {
  readonly deps: EngineDeps;
  readonly journal: Journal;
  /** The session's current connection to its agent. */
  readonly connection: () => Connection;
  /**
   * Called with what was stored, and the attempt that starts with it. Nothing it starts is awaited: the mailbox is free
   * for the next command.
   */
  readonly react: (committed: Committed, attempt: Attempt | undefined) => void;
}

/** What is stored together with a command's own consequences. */
export interface Alongside extends Omit<Partial<Change>, "receipts"> {
  /** The message's intents. Its receipt is stored for each of them, and answers a repetition. */
  readonly intents?: readonly Intent[];
  /** Text that the agent gets before the message that this sends. */
  readonly context?: readonly ContextEntry[];
}

/**
 * The single order of everything that happens to a session: decided by core, appended to the journal, and only then
 * reacted to. `perform` decides a command and commits the decision; `commit` appends a change and reacts to it. Both
 * are called from inside the mailbox.
 */
export class SessionLog {
  readonly deps: EngineDeps;
  readonly journal: Journal;
  readonly mailbox = new Mailbox();
  private readonly parts: SessionLogParts;

  constructor(parts: SessionLogParts) {
    this.parts = parts;
    this.deps = parts.deps;
    this.journal = parts.journal;
  }

  decisionContext(): DecisionContext {
    return decisionContext(this.deps, this.journal.row, this.parts.connection());
  }

  /** Decides one command and commits the result; stores nothing if there is none. */
  async perform(command: Command, alongside: Alongside = {}): Promise<Result<Decision, Rejection>> {
    const decided = decide(this.journal.state, command, this.decisionContext());
    if (!decided.ok) return decided;
    const { events, receipt, attempt, title, amendedInput, grant, permissionMode } = decided.value;
    const { events: also = [], intents = [], context = [], durability = "command", ...more } = alongside;
    const all = [...events, ...also];
    const isEmpty = all.length === 0 && !receipt && attempt === undefined;
    if (isEmpty && Object.keys(more).length === 0) return decided;
    const { about, runtime } = this.journal.row;
    const chosen = {
      ...more.about,
      ...(title === undefined ? {} : { title }),
      ...(grant ? { grants: [...about.grants, grant] } : {}),
      ...(permissionMode ? { permissionMode } : {}),
    };
    const contexts = { ...runtime.contexts, ...(receipt ? { [receipt.messageId]: context } : {}) };
    await this.commit({
      ...more,
      events: all,
      runtime: {
        pending: settlePending(runtime.pending, events, amendedInput),
        ...(context.length > 0 ? { contexts } : {}),
        ...(attempt === undefined ? {} : { attempt }),
        ...more.runtime,
      },
      ...(Object.keys(chosen).length > 0 ? { about: chosen } : {}),
      ...(receipt && intents.length > 0 ? { receipts: receiptsOf(intents, receipt) } : {}),
      durability,
    });
    return decided;
  }

  /** Appends a change, then reacts to it. */
  async commit(change: Change): Promise<void> {
    const { redact } = this.deps.secrets;
    const events = (change.events ?? []).map((body) => withoutSecrets(body, redact));
    const { state, row } = this.journal;
    const runtime = {
      ...change.runtime,
      ...contextsAfter(state, change.runtime?.contexts ?? row.runtime.contexts, events),
    };
    const { attempt: before } = row.runtime;
    const committed = await this.journal.append({ ...change, events, runtime });
    const { attempt } = this.journal.row.runtime;
    this.parts.react(committed, isSameAttempt(attempt, before) ? undefined : attempt);
  }

  /** Runs a task in the mailbox until the store accepts it; the mailbox is free between tries. */
  untilStored<T>(task: () => Promise<T>): Promise<T> {
    return untilStored(this.deps, () => this.mailbox.run(task));
  }
}

function receiptsOf(intents: readonly Intent[], receipt: Receipt): Receipted[] {
  const answer = JSON.stringify(receipt);
  return intents.map((intent) => ({ ...intent, answer }));
}

/**
 * Drops the context of messages that were removed or whose turn failed: a repeated message brings its context again.
 */
function contextsAfter(
  state: SessionState,
  contexts: SessionRuntime["contexts"],
  events: readonly EventBody[],
): Pick<SessionRuntime, "contexts"> {
  if (contexts === undefined) return {};
  const gone = new Set<string>();
  for (const event of events) {
    if (event.type === "queue_update") for (const { messageId } of state.queue) gone.add(messageId);
    if (event.type === "done" && !event.ok && state.turn) gone.add(state.turn.messageId);
  }
  for (const event of events) {
    if (event.type === "queue_update") for (const { messageId } of event.messages) gone.delete(messageId);
    if (event.type === "turn_start") gone.delete(event.messageId);
  }
  return gone.size === 0
    ? {}
    : {
        contexts: Object.fromEntries(Object.entries(contexts).filter(([messageId]) => !gone.has(messageId))),
      };
}
