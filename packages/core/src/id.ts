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
} as const;
export type IdKind = keyof typeof idPrefixes;

/**
 * An id that sorts by time: 48 bits of milliseconds, then 80 random bits, in Crockford's base 32.
 * `random` returns integers from 0 to 31; core has no randomness of its own.
 */
export function makeId(kind: IdKind, time: number, random: () => number): string {
  let rest = time;
  let stamp = "";
  for (let i = 0; i < 10; i++) {
    stamp = alphabet[rest % 32] + stamp;
    rest = Math.floor(rest / 32);
  }
  let tail = "";
  for (let i = 0; i < 16; i++) tail += alphabet[random() & 31];
  return `${idPrefixes[kind]}_${stamp}${tail}`;
}

export const idSchema = (kind: IdKind) => z.string().regex(new RegExp(`^${idPrefixes[kind]}_[0-9a-z]{26}$`));
