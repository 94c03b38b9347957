import type { AttachedFile, Receipt, Result } from "@drover/core";
import { randomId } from "../storage/random.ts";
import { browserStorage } from "../storage/storage.ts";
import type { Connection } from "../transport/connection.ts";
import { api } from "../transport/http.ts";
import type { Problem } from "../transport/wire.ts";
import { createStore } from "./store.ts";

/** A message that is sent but not yet in the transcript. */
export interface Prompt {
  readonly sessionId: string;
  readonly clientMessageId: string;
  readonly content: string;
  /** When it was sent, in milliseconds since the epoch: prompts go out in the order they were written. */
  readonly at: number;
  /** Without it, the message starts a turn or is queued. */
  readonly disposition?: "steer";
  /** The first message of a paused queue: this one runs before it, and the queue resumes. */
  readonly before?: string;
  /** The server sends it to the agent no earlier than this. */
  readonly notBefore?: string;
  /** The server has it; its first event comes after `receipt.cursor`. */
  readonly receipt?: Receipt;
  /** The server rejected it. The user can edit or discard it. */
  readonly problem?: Problem;
}

export interface SendOptions {
  readonly disposition?: "steer" | undefined;
  readonly before?: string | undefined;
  readonly notBefore?: string | undefined;
}

const prefix = "drover:outbox:";
const keyOf = (clientMessageId: string) => `${prefix}${clientMessageId}`;

/**
 * Sends prompts until a receipt arrives, across lost connections and reloads. The clientMessageId makes sure that the
 * server accepts each one once. Tabs share the outbox, so that one can send what a closed tab could not.
 */
export class Outbox {
  readonly prompts = createStore<readonly Prompt[]>(load());
  /** The last receipt of each session. */
  readonly receipts = createStore<Readonly<Record<string, Receipt>>>({});
  private readonly connection: Pick<Connection, "request" | "onOpen">;
  private readonly inFlight = new Set<string>();
  /** How far the transcript of each session has been shown. */
  private readonly shown = new Map<string, number>();

  constructor(connection: Pick<Connection, "request" | "onOpen">, watch = watchOtherTabs) {
    this.connection = connection;
    connection.onOpen(() => {
      for (const prompt of this.prompts.get()) void this.deliver(prompt);
    });
    watch((clientMessageId) => this.forget(clientMessageId));
  }

  /** Returns the prompt's clientMessageId. */
  send(sessionId: string, content: string, { disposition, before, notBefore }: SendOptions = {}): string {
    const how = {
      ...(disposition ? { disposition } : {}),
      ...(before ? { before } : {}),
      ...(notBefore ? { notBefore } : {}),
    };
    const prompt: Prompt = { sessionId, content, clientMessageId: randomId(), at: Date.now(), ...how };
    keep(prompt);
    this.prompts.set([...this.prompts.get(), prompt]);
    void this.deliver(prompt);
    return prompt.clientMessageId;
  }

  /** Sends a message with attached files, once. They are too large to be stored here: the composer keeps them until then. */
  async sendWith(
    attachments: readonly AttachedFile[],
    {
      sessionId,
      before,
      ...message
    }: Pick<Prompt, "sessionId" | "content" | "clientMessageId"> & SendOptions,
  ): Promise<Result<Receipt, Problem>> {
    const path = `/api/sessions/${sessionId}/messages`;
    const files = attachments.map(({ name, mediaType, data }) => ({ name, mediaType, data }));
    const sent = await api<Receipt>("POST", path, { ...message, attachments: files });
    if (!sent.ok) return sent;
    this.receipts.set({ ...this.receipts.get(), [sessionId]: sent.value });
    if (before) await runFirst(sent.value, before);
    return sent;
  }

  drop(clientMessageId: string): void {
    browserStorage.write(keyOf(clientMessageId), undefined);
    this.prompts.set(this.prompts.get().filter((prompt) => prompt.clientMessageId !== clientMessageId));
  }

  /** Takes back a prompt that was discarded. */
  restore(prompt: Prompt): void {
    keep(prompt);
    this.prompts.set([...this.prompts.get(), prompt]);
  }

  /** Removes prompts that the transcript shows, now that it has reached `seq`. */
  reached(sessionId: string, seq: number): void {
    this.shown.set(sessionId, seq);
    this.removeShown();
  }

  private removeShown(): void {
    const prompts = this.prompts.get();
    const pending = prompts.filter(
      ({ sessionId, receipt }) => !receipt || receipt.cursor >= (this.shown.get(sessionId) ?? 0),
    );
    if (pending.length < prompts.length) this.prompts.set(pending);
  }

  private async deliver(prompt: Prompt): Promise<void> {
    const { sessionId, content, clientMessageId, disposition, before, notBefore, receipt, problem } = prompt;
    if (receipt || problem || this.inFlight.has(clientMessageId)) return;
    this.inFlight.add(clientMessageId);
    const sent = await this.connection.request<{ receipt: Receipt }>("session:send", {
      sessionId,
      content,
      clientMessageId,
      ...(disposition ? { disposition } : {}),
      ...(notBefore ? { notBefore } : {}),
    });
    this.inFlight.delete(clientMessageId);
    if (sent.ok) {
      this.receipts.set({ ...this.receipts.get(), [sessionId]: sent.value.receipt });
      this.change(clientMessageId, { receipt: sent.value.receipt });
      // The message may have been shown before its receipt arrived.
      this.removeShown();
      if (before) await runFirst(sent.value.receipt, before);
    } else if (sent.error.code !== "OFFLINE") this.change(clientMessageId, { problem: sent.error });
  }

  /** Another tab has its receipt, or it was discarded there. */
  private forget(clientMessageId: string): void {
    const isKept = (p: Prompt) => p.clientMessageId !== clientMessageId || p.receipt !== undefined;
    this.prompts.set(this.prompts.get().filter(isKept));
  }

  private change(clientMessageId: string, news: Pick<Prompt, "receipt"> | Pick<Prompt, "problem">): void {
    this.prompts.set(
      this.prompts.get().map((prompt) => {
        if (prompt.clientMessageId !== clientMessageId) return prompt;
        const changed = { ...prompt, ...news };
        keep(changed);
        return changed;
      }),
    );
  }
}

/** Reports prompts that another tab has removed. */
function watchOtherTabs(onRemoved: (clientMessageId: string) => void): void {
  addEventListener("storage", ({ key, newValue }) => {
    if (key?.startsWith(prefix) && newValue === null) onRemoved(key.slice(prefix.length));
  });
}

/** Moves a message to the front of a paused queue, and resumes the queue. */
async function runFirst({ sessionId, messageId, applied }: Receipt, before: string): Promise<void> {
  if (applied !== "queued") return;
  const base = `/api/sessions/${sessionId}`;
  const moved = await api("PATCH", `${base}/queue/${messageId}`, { move: { before } });
  if (moved.ok) await api("POST", `${base}/resume`);
}

/** Stored until the server has it. */
function keep(prompt: Prompt): void {
  browserStorage.write(keyOf(prompt.clientMessageId), prompt.receipt ? undefined : JSON.stringify(prompt));
}

function load(): readonly Prompt[] {
  return browserStorage
    .keys(prefix)
    .flatMap((key) => browserStorage.readJson<Prompt>(key) ?? [])
    .sort((a, b) => a.at - b.at);
}
