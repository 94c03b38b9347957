import { createHash } from "node:crypto";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { Receipted, ReceiptRecords } from "../../ports.ts";
import { type Answer, jsonAnswer, rejectionAnswer } from "./answer.ts";
import { answered } from "./route.ts";

export interface Intent {
  /** The client's Idempotency-Key. */
  readonly key: string;
  /** A session's process has keys of its own: it neither gets a person's receipts nor stands in the way of any. */
  readonly owner: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
  /** Of success, for answers the service stored as their body alone. */
  readonly status: number;
  /** The service stores the answer of a success itself, together with what it did. */
  readonly isKeptByService: boolean;
  /** A success is answered as a stream: it cannot be kept, and its handler finds by itself what it did the first time. */
  readonly isStream: boolean;
}

type Outcome = Answer | typeof answered;
type Run = (receipt: Omit<Receipted, "answer">) => Promise<Outcome>;

/** A key is the client's own word; it ends up in the store, so it is bounded. */
export function checkKey(key: string): Result<string, Rejection> {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return ok(key);
  const message = "An Idempotency-Key is 1 to 200 printable ASCII characters without spaces";
  return reject("BAD_REQUEST", message, { issues: [{ path: "Idempotency-Key", message }] });
}

/** Runs each intent once: the same key and body get the first answer, byte for byte, now and after a restart. */
export class Idempotency {
  private readonly receipts: ReceiptRecords;
  /** By key, the request that came last: the next one waits for it. */
  private readonly last = new Map<string, Promise<unknown>>();

  constructor(receipts: ReceiptRecords) {
    this.receipts = receipts;
  }

  async once(intent: Intent, run: Run): Promise<Outcome> {
    const receipt = receiptOf(intent);
    const before = this.last.get(receipt.key) ?? Promise.resolve();
    const outcome = before.catch(() => undefined).then(() => this.next(intent, receipt, run));
    this.last.set(receipt.key, outcome);
    try {
      return await outcome;
    } finally {
      if (this.last.get(receipt.key) === outcome) this.last.delete(receipt.key);
    }
  }

  private async next(intent: Intent, receipt: Omit<Receipted, "answer">, run: Run): Promise<Outcome> {
    const stored = await this.receipts.receipt(receipt.key);
    if (stored && stored.hash !== receipt.hash) return conflict(intent);
    const kept = stored && decode(stored.answer, intent.status);
    if (kept && !(intent.isStream && isSuccess(kept))) return kept;
    const outcome = await run(receipt);
    if (!stored && isOursToKeep(intent, outcome)) {
      await this.receipts.saveReceipt({ ...receipt, answer: encode(outcome) });
    }
    return outcome;
  }
}

const isSuccess = ({ status }: Answer) => status < 300;

/** What failed on our side may go better the next time. */
function isOursToKeep({ isKeptByService }: Intent, outcome: Outcome): boolean {
  if (outcome === answered) return true;
  return outcome.status < 500 && !(isKeptByService && isSuccess(outcome));
}

/** What an intent is known by in the store. */
function receiptOf({ key, owner, method, path, body }: Intent): Omit<Receipted, "answer"> {
  const hash = createHash("sha256").update(`${method} ${path}\n`).update(body).digest("hex");
  return { key: owner === undefined ? `http:${key}` : `http:${owner} ${key}`, hash };
}

/**
 * A line with the status before the body; the service's own receipts are JSON alone, which begins otherwise. Of a
 * stream nothing is kept but that it was asked for.
 */
const encode = (outcome: Outcome) => (outcome === answered ? "" : `${outcome.status}\n${outcome.body}`);

function decode(stored: string, status: number): Answer | undefined {
  if (stored === "") return undefined;
  const prefix = /^(\d{3})\n/.exec(stored);
  return prefix ? jsonAnswer(Number(prefix[1]), stored.slice(4)) : jsonAnswer(status, stored);
}

function conflict(intent: Intent): Answer {
  return rejectionAnswer({
    code: "IDEMPOTENCY_CONFLICT",
    message: `The Idempotency-Key ${intent.key} was used for another request; take a new one for a new intent`,
  });
}
