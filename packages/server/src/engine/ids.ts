import { createHash, randomBytes } from "node:crypto";
import { type IdKind, makeId } from "@drover/core";

let pool = Buffer.alloc(0);
let used = 0;

/** A random integer from 0 to 31, from a pool: one system call serves a few hundred ids. */
export function random32(): number {
  if (used >= pool.length) {
    pool = randomBytes(4096);
    used = 0;
  }
  return (pool[used++] ?? 0) & 31;
}

export const newId = (kind: IdKind): string => makeId(kind, Date.now(), random32);

/** The same hash for equal JSON values, regardless of key order: identifies what a person saw and approved. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, v]) => v !== undefined);
    entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}
