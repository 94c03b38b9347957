import { createHash } from "node:crypto";
import { ok, type Rejection, type Result, reject } from "@drover/core";
import type { Receipted, Store } from "../ports.ts";
import { type Answer, jsonAnswer, rejectionAnswer } from "./answer.ts";

export interface Intent {
  /** The client's Idempotency-Key. */
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
  /** Of success, for answers the service stored as their body alone. */
  readonly status: number;
  /** The service stores the answer of a success itself, together with what it did. */
  readonly isKeptByService: boolean;
}

/** A key is the client's own word; it ends up in the store, so it is bounded. */
export function checkKey(key: string): Result<string, Rejection> {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return ok(key);
  const message = "An Idempotency-Key is 1 to 200 printable ASCII characters without spaces";
  return reject("BAD_REQUEST", message, { issues: [{ path: "Idempotency-Key", message }] });
}

/** Runs each intent once: the same key and body get the first answer, byte for byte, now and after a restart. */
export class Idempotency {
  private readonly receipts: Pick<Store, "receipt" | "saveReceipt">;
  private readonly running = new Map<string, { hash: string; answer: Promise<Answer> }>();

  constructor(receipts: Pick<Store, "receipt" | "saveReceipt">) {
    this.receipts = receipts;
  }

  async once(intent: Intent, run: (receipt: Omit<Receipted, "answer">) => Promise<Answer>): Promise<Answer> {
    const receipt = receiptOf(intent);
    const other = this.running.get(receipt.key);
    if (other) return other.hash === receipt.hash ? other.answer : conflict(intent);
    const answer = this.first(intent, receipt, run);
    this.running.set(receipt.key, { hash: receipt.hash, answer });
    try {
      return await answer;
    } finally {
      this.running.delete(receipt.key);
    }
  }

  private async first(
    intent: Intent,
    receipt: Omit<Receipted, "answer">,
    run: (receipt: Omit<Receipted, "answer">) => Promise<Answer>,
  ): Promise<Answer> {
    const stored = await this.receipts.receipt(receipt.key);
    if (stored) return stored.hash === receipt.hash ? decode(stored.answer, intent.status) : conflict(intent);
    const answer = await run(receipt);
    // What failed on our side may go better the next time.
    const isNotOurs = answer.status >= 500 || (intent.isKeptByService && answer.status < 300);
    if (!isNotOurs) await this.receipts.saveReceipt({ ...receipt, answer: encode(answer) });
    return answer;
  }
}

/** What an intent is known by in the store. */
export function receiptOf({ key, method, path, body }: Intent): Omit<Receipted, "answer"> {
  const hash = createHash("sha256").update(`${method} ${path}\n`).update(body).digest("hex");
  return { key: `http:${key}`, hash };
}

/** A line with the status before the body; the service's own receipts are JSON alone, which begins otherwise. */
const encode = ({ status, body }: Answer) => `${status}\n${body}`;

function decode(stored: string, status: number): Answer {
  const prefix = /^(\d{3})\n/.exec(stored);
  return prefix ? jsonAnswer(Number(prefix[1]), stored.slice(4)) : jsonAnswer(status, stored);
}

function conflict(intent: Intent): Answer {
  return rejectionAnswer({
    code: "IDEMPOTENCY_CONFLICT",
    message: `The Idempotency-Key ${intent.key} was used for another request; take a new one for a new intent`,
  });
}
