import { z } from "zod";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export const idPrefixes = {
  session: "ses",
  message: "msg",
  turn: "trn",
  item: "itm",
  interaction: "int",
  account: "acc",
  project: "prj",
  login: "lgn",
  proposal: "prp",
} as const;
export type IdKind = keyof typeof idPrefixes;

/**
 * An id that sorts by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32. `random` returns
 * integers from 0 to 31; core has no randomness of its own.
 */
export function makeId(kind: IdKind, time: number, random: () => number): string {
  let tail = "";
  for (let i = 0; i < 16; i++) tail += alphabet[random() & 31];
  return `${idPrefixes[kind]}_${digits(time, 10)}${tail}`;
}

/**
 * The id of the item that an event starts, the same for everyone who folds that event: its time, the end of its
 * session's id, its number.
 */
export function itemIdOf({ at, sessionId, seq }: { at: string; sessionId: string; seq: number }): string {
  return `${idPrefixes.item}_${digits(Date.parse(at), 10)}${sessionId.slice(-10)}${digits(seq, 6)}`;
}

function digits(number: number, length: number): string {
  let remaining = number;
  let written = "";
  for (let i = 0; i < length; i++) {
    written = alphabet[remaining % 32] + written;
    remaining = Math.floor(remaining / 32);
  }
  return written;
}

export const idSchema = (kind: IdKind) => z.string().regex(new RegExp(`^${idPrefixes[kind]}_[0-9a-z]{26}$`));
