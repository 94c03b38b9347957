import { err, ok, type Rejection, type Result, reject, rejectionStatus } from "@drover/core";
import type { Intent, ReceiptRecords } from "../ports.ts";

export interface RepeatableIntent extends Intent {
  /** The client's own Idempotency-Key. */
  readonly clientKey: string;
}

type Outcome = Result<unknown, Rejection>;

/** A key is chosen by the client and stored, so its length is limited. */
export function checkKey(key: string): Result<string, Rejection> {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return ok(key);
  const message = "An Idempotency-Key must be 1 to 200 printable ASCII characters without spaces";
  return reject("BAD_REQUEST", message, { issues: [{ path: "Idempotency-Key", message }] });
}

/** Runs each intent once: repetitions get the first result, even after a restart. */
export class Idempotency {
  private readonly receipts: ReceiptRecords;
  /** The latest request by key: the next one with that key waits for it. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(receipts: ReceiptRecords) {
    this.receipts = receipts;
  }

  async once(intent: RepeatableIntent, run: (intent: Intent) => Promise<Outcome>): Promise<Outcome> {
    const before = this.last.get(intent.key) ?? Promise.resolve();
    const outcome = before.catch(() => undefined).then(() => this.next(intent, run));
    this.last.set(intent.key, outcome);
    try {
      return await outcome;
    } finally {
      if (this.last.get(intent.key) === outcome) this.last.delete(intent.key);
    }
  }

  private async next(
    { clientKey, ...intent }: RepeatableIntent,
    run: (intent: Intent) => Promise<Outcome>,
  ): Promise<Outcome> {
    const stored = await this.receipts.receipt(intent.key);
    if (!stored) {
      const outcome = await run(intent);
      await this.keep(intent, outcome);
      return outcome;
    }
    const kept = stored.hash === intent.hash ? decode(stored.answer) : undefined;
    return kept ?? reject("IDEMPOTENCY_CONFLICT", conflictWords(clientKey));
  }

  private async keep(intent: Intent, outcome: Outcome): Promise<void> {
    // A server failure may not happen again.
    if (!outcome.ok && rejectionStatus[outcome.error.code] >= 500) return;
    // Operations that create a session or accept a message have stored their answer in the same commit.
    if (outcome.ok && (await this.receipts.receipt(intent.key))) return;
    await this.receipts.saveReceipt({ ...intent, answer: encode(outcome) });
  }
}

const conflictWords = (key: string) =>
  `The Idempotency-Key ${key} was used for another request; use a new one for a new intent`;

/** A value is stored as plain JSON; a rejection has its status on a line before it, which no JSON starts with. */
function encode(outcome: Outcome): string {
  if (outcome.ok) return JSON.stringify(outcome.value ?? null);
  const { code, message, facts } = outcome.error;
  return `${rejectionStatus[code]}\n${JSON.stringify({ error: message, code, ...facts })}`;
}

/**
 * Earlier versions also stored values with their status, and an empty text for a streamed answer: undefined, since the
 * effect of such a request is no longer known.
 */
function decode(stored: string): Outcome | undefined {
  if (stored === "") return undefined;
  const status = /^(\d{3})\n/.exec(stored)?.[1];
  const body = status === undefined ? stored : stored.slice(4);
  const value: unknown = body === "" ? null : JSON.parse(body);
  if (status === undefined || Number(status) < 400) return ok(value);
  const { error: message, code, ...facts } = value as { error: string; code: Rejection["code"] };
  return err({ code, message, facts });
}
