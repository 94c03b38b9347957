import type { Receipt } from "@drover/core";
import { randomId } from "../storage/random.ts";
import { browserStorage } from "../storage/storage.ts";
import type { Connection } from "../transport/connection.ts";
import type { Problem } from "../transport/wire.ts";
import { createStore } from "./store.ts";

/** A person's words between the Send button and the transcript. */
export interface Prompt {
  readonly sessionId: string;
  readonly clientMessageId: string;
  readonly content: string;
  /** When it was sent, in milliseconds since the epoch: prompts go out in the order they were written. */
  readonly at: number;
  /** Left out, it waits its turn. */
  readonly disposition?: "steer";
  /** The server has it; its first event comes after `receipt.cursor`. */
  readonly receipt?: Receipt;
  /** The server refused it: it is the person's to change or to drop. */
  readonly problem?: Problem;
}

const prefix = "drover:outbox:";
const keyOf = (clientMessageId: string) => `${prefix}${clientMessageId}`;

/**
 * Prompts are sent until a receipt comes, over lost connections and reloads: the clientMessageId makes the server take
 * each one once. They are the browser's, not the tab's: whichever tab is there sends what a closed one could not.
 */
export class Outbox {
  readonly prompts = createStore<readonly Prompt[]>(load());
  /** By session, the last receipt: what became of the words that were sent last. */
  readonly receipts = createStore<Readonly<Record<string, Receipt>>>({});
  private readonly connection: Connection;
  private readonly inFlight = new Set<string>();

  constructor(connection: Connection) {
    this.connection = connection;
    connection.onOpen(() => {
      for (const prompt of this.prompts.get()) void this.deliver(prompt);
    });
    addEventListener("storage", ({ key, newValue }) => {
      if (key?.startsWith(prefix) && newValue === null) this.forget(key.slice(prefix.length));
    });
  }

  /** The prompt's clientMessageId. */
  send(sessionId: string, content: string, disposition?: "steer"): string {
    const how = disposition ? { disposition } : {};
    const prompt: Prompt = { sessionId, content, clientMessageId: randomId(), at: Date.now(), ...how };
    keep(prompt);
    this.prompts.set([...this.prompts.get(), prompt]);
    void this.deliver(prompt);
    return prompt.clientMessageId;
  }

  drop(clientMessageId: string): void {
    browserStorage.write(keyOf(clientMessageId), undefined);
    this.prompts.set(this.prompts.get().filter((prompt) => prompt.clientMessageId !== clientMessageId));
  }

  /** The transcript has come this far: prompts whose events it now holds are shown by it. */
  reached(sessionId: string, seq: number): void {
    const prompts = this.prompts.get();
    const left = prompts.filter((p) => p.sessionId !== sessionId || !p.receipt || p.receipt.cursor >= seq);
    if (left.length < prompts.length) this.prompts.set(left);
  }

  private async deliver(prompt: Prompt): Promise<void> {
    const { sessionId, content, clientMessageId, disposition, receipt, problem } = prompt;
    if (receipt || problem || this.inFlight.has(clientMessageId)) return;
    this.inFlight.add(clientMessageId);
    const sent = await this.connection.request<{ receipt: Receipt }>("session:send", {
      sessionId,
      content,
      clientMessageId,
      ...(disposition ? { disposition } : {}),
    });
    this.inFlight.delete(clientMessageId);
    if (sent.ok) {
      this.receipts.set({ ...this.receipts.get(), [sessionId]: sent.value.receipt });
      this.change(clientMessageId, { receipt: sent.value.receipt });
    } else if (sent.error.code !== "OFFLINE") this.change(clientMessageId, { problem: sent.error });
  }

  /** Another tab has its receipt, or a person dropped it there. */
  private forget(clientMessageId: string): void {
    const isLeft = (p: Prompt) => p.clientMessageId !== clientMessageId || p.receipt !== undefined;
    this.prompts.set(this.prompts.get().filter(isLeft));
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

/** Until the server has it. */
function keep(prompt: Prompt): void {
  browserStorage.write(keyOf(prompt.clientMessageId), prompt.receipt ? undefined : JSON.stringify(prompt));
}

function load(): readonly Prompt[] {
  return browserStorage
    .keys(prefix)
    .flatMap((key) => browserStorage.readJson<Prompt>(key) ?? [])
    .sort((a, b) => a.at - b.at);
}
