import {
  type Attempt,
  type AttemptOutcome,
  type Command,
  type Decision,
  type DecisionContext,
  decide,
  type EventBody,
  emptyState,
  evolve,
  type IdKind,
  idPrefixes,
  type SessionEvent,
  type SessionState,
} from "@drover/core";

const now = "2026-01-01T00:00:00.000Z";

/** Deterministic: ids count up and the clock never moves. */
export function makeContext(session: Partial<DecisionContext["session"]> = {}): DecisionContext {
  let count = 0;
  return {
    now,
    newId: (kind: IdKind) => `${idPrefixes[kind]}_${++count}`,
    hash: (input) => JSON.stringify(input),
    session: {
      id: "ses_1",
      name: "brave-otter",
      agent: "demo",
      cwd: "/work",
      title: "",
      permissionMode: "ask",
      grants: [],
      mustWait: false,
      isStopping: false,
      denyReasonReachesAgent: false,
      canAmend: false,
      canSteer: false,
      ...session,
    },
    queueMax: 2,
    interactionTimeoutMs: 600_000,
  };
}

/** A session under test: it decides commands and folds their events. */
export class TestSession {
  state: SessionState = emptyState;
  attempt: Attempt | null = null;
  readonly events: SessionEvent[] = [];
  private readonly context: DecisionContext;

  constructor(session: Partial<DecisionContext["session"]> = {}, context: Partial<DecisionContext> = {}) {
    this.context = { ...makeContext(session), ...context };
  }

  try(command: Command) {
    const decided = decide(this.state, command, this.context);
    if (!decided.ok) return decided;
    this.fold(decided.value.events);
    if (decided.value.attempt !== undefined) this.attempt = decided.value.attempt;
    return decided;
  }

  do(command: Command): Decision {
    const decided = this.try(command);
    if (!decided.ok) throw new Error(`${decided.error.code}: ${decided.error.message}`);
    return decided.value;
  }

  send(content: string, more: Partial<Extract<Command, { type: "send" }>> = {}) {
    return this.do({ type: "send", content, by: "api", requested: "queue", strict: false, ...more }).receipt;
  }

  /** Settles the running attempt as `afterAttempt` decides. */
  settle(outcome: AttemptOutcome, more: Partial<Extract<Command, { type: "settle_attempt" }>> = {}) {
    const followUps = { maxAttempts: 1 };
    const attempt = more.attempt ?? this.running();
    return this.do({ type: "settle_attempt", outcome, followUps, denied: [], ...more, attempt });
  }

  /** The agent reports the end of its turn. */
  finish() {
    return this.settle({ type: "answered", reason: "end_turn" });
  }

  interrupt() {
    return this.do({ type: "interrupt", attempt: this.running(), denied: [] });
  }

  /** The prompt reaches the agent. */
  deliver(): void {
    const { prompt, ...attempt } = this.running();
    this.attempt = { ...attempt, prompt: { ...prompt, phase: "written" } };
  }

  running(): Attempt {
    if (!this.attempt) throw new Error("No turn is running");
    return this.attempt;
  }

  fold(bodies: readonly EventBody[]): void {
    for (const body of bodies) {
      const seq = this.state.lastSeq + 1;
      const event = { ...body, seq, from: seq, at: now, sessionId: "ses_1" } as SessionEvent;
      this.events.push(event);
      this.state = evolve(this.state, event);
    }
  }

  types(): string[] {
    return this.events.map((event) => event.type);
  }
}
