import type { Receipt } from "@drover/core";
import type { Connection } from "./connection.ts";
import { randomId } from "./random.ts";
import { createStore } from "./store.ts";
import type { Problem } from "./wire.ts";

/** A person's words between the Send button and the transcript. */
export interface Prompt {
  readonly sessionId: string;
  readonly clientMessageId: string;
  readonly content: string;
  /** Left out, it waits its turn. */
  readonly disposition?: "steer";
  /** The server has it; its first event comes after `receipt.cursor`. */
  readonly receipt?: Receipt;
  /** The server refused it: it is the person's to change or to drop. */
  readonly problem?: Problem;
}

const storageKey = "drover:outbox";

/**
 * Prompts are sent until a receipt comes, over lost connections and reloads of the tab: the clientMessageId makes
 * the server take each one once.
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
  }

  send(sessionId: string, content: string, disposition?: "steer"): void {
    const how = disposition ? { disposition } : {};
    const prompt: Prompt = { sessionId, content, clientMessageId: randomId(), ...how };
    this.set([...this.prompts.get(), prompt]);
    void this.deliver(prompt);
  }

  drop(clientMessageId: string): void {
    this.set(this.prompts.get().filter((prompt) => prompt.clientMessageId !== clientMessageId));
  }

  /** The transcript has come this far: prompts whose events it now holds are shown by it. */
  reached(sessionId: string, seq: number): void {
    const prompts = this.prompts.get();
    const left = prompts.filter((p) => p.sessionId !== sessionId || !p.receipt || p.receipt.cursor >= seq);
    if (left.length < prompts.length) this.set(left);
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

  private change(clientMessageId: string, news: Pick<Prompt, "receipt"> | Pick<Prompt, "problem">): void {
    this.set(this.prompts.get().map((p) => (p.clientMessageId === clientMessageId ? { ...p, ...news } : p)));
  }

  private set(prompts: readonly Prompt[]): void {
    sessionStorage.setItem(storageKey, JSON.stringify(prompts.filter(({ receipt }) => !receipt)));
    this.prompts.set(prompts);
  }
}

function load(): readonly Prompt[] {
  return JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as Prompt[];
}
